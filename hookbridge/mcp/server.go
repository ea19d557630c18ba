// Package mcp is what aside mcp runs: the tools that aside offers to an
// agent's model, over the Model Context Protocol. It carries calls to a Desk
// and replies back, and decides nothing. It alone imports the MCP SDK.
package mcp

import (
	"context"
	"encoding/json"
	"io"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"aside/hookbridge/wire"
)

// Desk answers the tools (contracts/proposed-threads.md, The tool).
//
// Call takes the arguments as the model wrote them, of any JSON type or
// absent, and the agent's own id of the call, "" when it sends none. With an
// error the reply is for the agent all the same; without text it gets a
// neutral one.
type Desk interface {
	Call(ctx context.Context, tool, callID string, arguments json.RawMessage) (Reply, error)
}

// Reply is what the agent reads, and the body of the reply to wire.OpMCP.
type Reply struct {
	Text    string `json:"text"`
	IsError bool   `json:"is_error,omitempty"`
}

// failed is the reply of a desk that has none. Like every reply it must read
// neither as a success nor as a refusal by the person.
const failed = "Nothing was shown and nothing has changed: aside could not do it. Go on with your own task."

// Server is an MCP server for one agent.
type Server struct {
	Desk    Desk
	Version string      // aside's own, for the agent's list of servers
	Log     func(error) // is told what went wrong at the desk, as the agent is not
}

// Run serves one client until in ends or ctx does. The protocol is all that
// is written to out.
func (s Server) Run(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
	server := sdk.NewServer(
		&sdk.Implementation{Name: "aside", Version: s.Version},
		&sdk.ServerOptions{Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}}},
	)
	for _, tool := range tools() {
		// The SDK's generic AddTool would check the arguments by schema and
		// answer in words of its own.
		server.AddTool(tool, s.handle)
	}
	err := server.Run(ctx, &sdk.IOTransport{Reader: in, Writer: out, MaxLineLength: wire.MaxLine})
	if ctx.Err() != nil {
		return nil // ending it is no failure
	}
	return err
}

func (s Server) handle(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	reply, err := s.Desk.Call(ctx, r.Params.Name, callID(r.Params.Meta), r.Params.Arguments)
	if err != nil {
		s.Log(err)
		if reply.Text == "" {
			reply = Reply{Text: failed, IsError: true}
		}
	}
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: reply.Text}}, IsError: reply.IsError}, nil
}

// callID returns the agent's own id of a call: Claude Code's, else Codex's,
// else "".
func callID(meta sdk.Meta) string {
	for _, key := range []string{"claudecode/toolUseId", "callId"} {
		if id, ok := meta[key].(string); ok && id != "" {
			return id
		}
	}
	return ""
}
