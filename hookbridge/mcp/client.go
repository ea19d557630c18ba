package mcp

import (
	"context"
	"fmt"
	"io"
	"os/exec"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Client calls the tools of a server that runs as a child process. The demo
// agent uses it, as a real agent uses its own.
type Client struct{ session *sdk.ClientSession }

// Start runs the command, with the environment and with stderr for what it
// says there, and connects to it. The client has to be closed.
func Start(ctx context.Context, command, env []string, stderr io.Writer) (*Client, error) {
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Env, cmd.Stderr = env, stderr
	client := sdk.NewClient(&sdk.Implementation{Name: "aside-demo-agent"}, nil)
	session, err := client.Connect(ctx, &sdk.CommandTransport{Command: cmd}, nil)
	if err != nil {
		return nil, fmt.Errorf("start MCP server: %w", err)
	}
	return &Client{session}, nil
}

// Call calls a tool and returns the text of its result. A result that is an
// error of the tool's own is a Reply with IsError.
func (c *Client) Call(ctx context.Context, tool string, arguments any, meta map[string]any) (Reply, error) {
	result, err := c.session.CallTool(ctx, &sdk.CallToolParams{Meta: meta, Name: tool, Arguments: arguments})
	if err != nil {
		return Reply{}, fmt.Errorf("call tool: %w", err)
	}
	var text strings.Builder
	for _, part := range result.Content {
		if t, ok := part.(*sdk.TextContent); ok {
			text.WriteString(t.Text)
		}
	}
	return Reply{Text: text.String(), IsError: result.IsError}, nil
}

// Close ends the server and waits for it.
func (c *Client) Close() error { return c.session.Close() }
