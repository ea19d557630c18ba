package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// TestMain lets the test program be the server itself, for tests that need a
// process. Its desk answers with what it was asked.
func TestMain(m *testing.M) {
	if os.Getenv("BE_ASIDE_MCP") != "" {
		s := Server{Desk: echo{}, Version: "1.2.3", Log: func(err error) { fmt.Fprintln(os.Stderr, err) }}
		ctx, _ := signal.NotifyContext(context.Background(), syscall.SIGTERM)
		if err := s.Run(ctx, os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// echo is a desk that answers with what it was asked.
type echo struct{}

func (echo) Call(_ context.Context, tool, callID string, arguments json.RawMessage) (Reply, error) {
	if tool == ToolWithdraw {
		return Reply{}, errors.New("the desk is broken")
	}
	return Reply{Text: fmt.Sprintf("%s %q %s", tool, callID, arguments), IsError: tool == ToolList}, nil
}

// server starts the server as a process and returns it with its pipes.
func server(t testing.TB) (cmd *exec.Cmd, in io.WriteCloser, out *bufio.Reader, stderr *bytes.Buffer) {
	t.Helper()
	cmd = exec.CommandContext(t.Context(), os.Args[0])
	stderr = &bytes.Buffer{}
	cmd.Env, cmd.Stderr = []string{"BE_ASIDE_MCP=1"}, stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, in, bufio.NewReader(stdout), stderr
}

// exchange sends a line and reads the one that answers it into reply.
func exchange(t testing.TB, in io.Writer, out *bufio.Reader, line string, reply any) {
	t.Helper()
	if _, err := io.WriteString(in, line+"\n"); err != nil {
		t.Fatal(err)
	}
	if reply == nil {
		return
	}
	answer, err := out.ReadBytes('\n')
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(answer, reply); err != nil {
		t.Fatalf("%v in %s", err, answer)
	}
}

const (
	discover    = `{"jsonrpc":"2.0","id":0,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`
	initialize  = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"claude-code","version":"2.1.328"}}}`
	initialized = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	list        = `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`
)

// A client of today probes with server/discover, then greets as before.
func TestToolsAreListedToAClientThatProbes(t *testing.T) {
	cmd, in, out, stderr := server(t)
	var probed struct{ ID *int }
	exchange(t, in, out, discover, &probed)
	if probed.ID == nil || *probed.ID != 0 {
		t.Errorf("the probe had no answer of its own")
	}
	var greeted struct {
		Result struct {
			ProtocolVersion string
			ServerInfo      struct{ Name, Version string }
			Capabilities    map[string]any
		}
	}
	exchange(t, in, out, initialize, &greeted)
	if r := greeted.Result; r.ProtocolVersion != "2025-11-25" || r.ServerInfo.Name != "aside" || r.ServerInfo.Version != "1.2.3" ||
		len(r.Capabilities) != 1 || r.Capabilities["tools"] == nil {
		t.Errorf("greeting %+v", r)
	}
	exchange(t, in, out, initialized, nil)
	var listed struct {
		Result struct {
			Tools []struct {
				Name, Description string
				Meta              map[string]any `json:"_meta"`
				InputSchema       struct {
					Type       string
					Properties map[string]any
					Required   []string
				}
				Annotations struct{ ReadOnlyHint, DestructiveHint, OpenWorldHint *bool }
			}
		}
	}
	exchange(t, in, out, list, &listed)
	var got []string
	for _, tool := range listed.Result.Tools {
		got = append(got, fmt.Sprintf("%s %v %v", tool.Name, tool.Meta["anthropic/alwaysLoad"], tool.InputSchema.Required))
		if tool.InputSchema.Type != "object" || tool.Description == "" {
			t.Errorf("%s: schema of type %q, description %q", tool.Name, tool.InputSchema.Type, tool.Description)
		}
		a := tool.Annotations
		if a.DestructiveHint == nil || *a.DestructiveHint || a.OpenWorldHint == nil || *a.OpenWorldHint {
			t.Errorf("%s: hints %+v let an agent ask before it", tool.Name, a)
		}
	}
	want := "list_proposals true [], propose_terminal_actions true [schema_version choices], " +
		"propose_thread true [title summary prompt], terminal_action_result true [card], withdraw_proposal true [id]"
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("tools: %s; want %s", s, want)
	}
	_ = in.Close()
	if err := cmd.Wait(); err != nil {
		t.Errorf("after its client has gone: %v, %s", err, stderr)
	}
}

// What the model wrote reaches the desk as it is, however wrong it is.
func TestArgumentsReachTheDeskUnchecked(t *testing.T) {
	_, in, out, _ := server(t)
	var greeted any
	exchange(t, in, out, initialize, &greeted)
	exchange(t, in, out, initialized, nil)
	id := 10
	for _, tt := range []struct{ params, want string }{
		{`"arguments":{"title":"T","prompt":"a < b & \"c\""}`, `propose_thread "" {"title":"T","prompt":"a < b & \"c\""}`},
		{`"arguments":{"title":5,"files":"x","more":[1]}`, `propose_thread "" {"title":5,"files":"x","more":[1]}`},
		{`"arguments":{}`, `propose_thread "" {}`},
		{`"arguments":["title"]`, `propose_thread "" ["title"]`},
		{`"arguments":"{\"title\":\"T\"}"`, `propose_thread "" "{\"title\":\"T\"}"`},
		{`"arguments":7,"_meta":{"claudecode/toolUseId":"toolu_01"}`, `propose_thread "toolu_01" 7`},
		{`"_meta":{"callId":"call_1","threadId":"t"}`, `propose_thread "call_1" `},
		{`"_meta":{"claudecode/toolUseId":"toolu_02","callId":"call_2"}`, `propose_thread "toolu_02" `},
		{`"_meta":{"claudecode/toolUseId":5,"callId":""}`, `propose_thread "" `},
	} {
		id++
		var reply struct {
			ID     int
			Error  any
			Result struct {
				Content []struct{ Type, Text string }
				IsError bool
			}
		}
		exchange(t, in, out, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"propose_thread",%s}}`, id, tt.params), &reply)
		if c := reply.Result.Content; reply.ID != id || reply.Error != nil || len(c) != 1 || c[0].Text != tt.want || reply.Result.IsError {
			t.Errorf("%s: %+v, want the text %s", tt.params, reply, tt.want)
		}
	}
}

// An agent that ends the server while it keeps its pipe open must succeed.
func TestServerEndsWithItsContext(t *testing.T) {
	cmd, in, out, stderr := server(t)
	var greeted any
	exchange(t, in, out, initialize, &greeted)
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v, %s", err, stderr)
	}
}

func TestClientCallsAServerProcess(t *testing.T) {
	var stderr bytes.Buffer
	c, err := Start(t.Context(), []string{os.Args[0]}, []string{"BE_ASIDE_MCP=1"}, &stderr)
	if err != nil {
		t.Fatal(err)
	}
	r, err := c.Call(t.Context(), ToolPropose, map[string]any{"title": "T"}, map[string]any{"claudecode/toolUseId": "toolu_01"})
	if want := (Reply{Text: `propose_thread "toolu_01" {"title":"T"}`}); err != nil || r != want {
		t.Errorf("%+v, %v; want %+v", r, err, want)
	}
	if r, err := c.Call(t.Context(), ToolList, nil, nil); err != nil || !r.IsError {
		t.Errorf("an error of the tool's own: %+v, %v", r, err)
	}
	if _, err := c.Call(t.Context(), "create_thread", nil, nil); err == nil {
		t.Error("a tool that is not there was called")
	}
	r, err = c.Call(t.Context(), ToolWithdraw, nil, nil)
	if err != nil || !r.IsError || r.Text != failed {
		t.Errorf("a broken desk: %+v, %v; want the neutral reply", r, err)
	}
	if err := c.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
	if !strings.Contains(stderr.String(), "the desk is broken") {
		t.Errorf("the fault was not logged: %q", stderr.String())
	}
}

// No reply may read as if something had been made or run.
func TestNeutralReply(t *testing.T) {
	if words := regexp.MustCompile(`(?i)created|started|queued|scheduled|running|declined|refused`).FindString(failed); words != "" {
		t.Errorf("the reply says %q", words)
	}
}

// BenchmarkStart measures from the start of the process to its list of tools.
// An agent waits for neither: what comes later than its first request is not
// offered to the model in the first turn.
func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		cmd, in, out, _ := server(b)
		var reply any
		exchange(b, in, out, initialize, &reply)
		exchange(b, in, out, initialized, nil)
		exchange(b, in, out, list, &reply)
		b.StopTimer()
		_ = in.Close()
		_ = cmd.Wait()
		b.StartTimer()
	}
}
