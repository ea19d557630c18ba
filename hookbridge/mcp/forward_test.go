package mcp

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aside/hookbridge/wire"
)

// helper answers the first connection on a socket by serve.
func helper(t *testing.T, serve func(*wire.Conn, wire.Request)) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "mcp")
	if err != nil {
		t.Fatal(err)
	}
	l, err := wire.Listen(filepath.Join(dir, "t.sock"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close(); _ = os.RemoveAll(dir) })
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		defer func() { _ = c.Close() }()
		if r, err := c.ReadRequest(); err == nil {
			serve(c, r)
		}
	}()
	return filepath.Join(dir, "t.sock")
}

func TestForwardReachesTheHelper(t *testing.T) {
	got := make(chan wire.Request, 1)
	socket := helper(t, func(c *wire.Conn, r wire.Request) {
		got <- r
		_ = c.Answer(Reply{Text: "offered", IsError: true})
	})
	f := Forward{Socket: socket, Thread: "thread1", Pane: "agent", Fallback: echo{}}
	reply, err := f.Call(t.Context(), ToolPropose, "toolu_01", json.RawMessage(`{"title":5}`))
	if want := (Reply{Text: "offered", IsError: true}); err != nil || reply != want {
		t.Errorf("%+v, %v; want the helper's %+v", reply, err, want)
	}
	r := <-got
	if r.Op != wire.OpMCP || r.Thread != "thread1" || r.Pane != "agent" ||
		string(r.Body) != `{"tool":"propose_thread","call_id":"toolu_01","arguments":{"title":5}}` {
		t.Errorf("request %+v with %s", r, r.Body)
	}
}

func TestFallbackWhereNoHelperAnswers(t *testing.T) {
	for name, socket := range map[string]string{
		"none named":      "",
		"nobody there":    filepath.Join(t.TempDir(), "none.sock"),
		"crashes":         helper(t, func(*wire.Conn, wire.Request) {}),
		"another version": helper(t, func(c *wire.Conn, _ wire.Request) { _ = c.WriteLine(wire.Reply{V: 2, Fault: &wire.Fault{}}) }),
		"another reply":   helper(t, func(c *wire.Conn, _ wire.Request) { _ = c.Answer("offered") }),
	} {
		t.Run(name, func(t *testing.T) {
			f := Forward{Socket: socket, Fallback: echo{}}
			reply, err := f.Call(t.Context(), ToolPropose, "toolu_01", json.RawMessage(`{}`))
			if want := `propose_thread "toolu_01" {}`; err != nil || reply.Text != want {
				t.Errorf("%+v, %v; want the fallback's %s", reply, err, want)
			}
		})
	}
}

// A helper that hangs must not hang the agent.
func TestFallbackWhereTheHelperHangs(t *testing.T) {
	t.Parallel()
	f := Forward{Socket: helper(t, func(c *wire.Conn, _ wire.Request) { _ = c.AwaitEnd() }), Fallback: echo{}}
	if reply, err := f.Call(t.Context(), ToolPropose, "", nil); err != nil || !strings.HasPrefix(reply.Text, ToolPropose) {
		t.Errorf("%+v, %v; want the fallback's reply", reply, err)
	}
}

// A refusal is an answer: going around the helper would undo it.
func TestRefusalIsNotGoneAround(t *testing.T) {
	socket := helper(t, func(c *wire.Conn, _ wire.Request) { _ = c.Refuse(wire.Fault{Code: 2, Message: "another thread"}) })
	f := Forward{Socket: socket, Fallback: deskFunc(func() { t.Error("the fallback was asked") })}
	reply, err := f.Call(t.Context(), ToolPropose, "", nil)
	if err == nil || !strings.Contains(err.Error(), "another thread") || reply != (Reply{Text: failed, IsError: true}) {
		t.Errorf("%+v, %v; want the neutral reply, and the refusal as error", reply, err)
	}
}

type deskFunc func()

func (f deskFunc) Call(context.Context, string, string, json.RawMessage) (Reply, error) {
	f()
	return Reply{}, nil
}
