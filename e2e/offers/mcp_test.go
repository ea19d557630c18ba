package offers

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"aside/session"
)

// tools is a running `aside mcp`, spoken to in raw lines, as a client of any
// kind could.
type tools struct {
	t     testing.TB
	in    io.Writer
	out   *bufio.Scanner
	calls int
}

type toolReply struct {
	Content []struct {
		Text string `json:"text"`
	} `json:"content"`
	IsError bool `json:"isError"`
}

// tools starts the server as an agent of the offering thread does; hosted
// says that it finds the thread's helper.
func (w *world) tools(hosted bool) *tools {
	w.t.Helper()
	cmd := w.command("mcp")
	cmd.Env = append(cmd.Env, "ASIDE_THREAD="+w.first, "ASIDE_PANE=agent")
	if hosted {
		cmd.Env = append(cmd.Env, "ASIDE_SOCKET="+filepath.Join(w.home, "run", w.first+".sock"))
	}
	in, err := cmd.StdinPipe()
	must(w.t, err)
	out, err := cmd.StdoutPipe()
	must(w.t, err)
	must(w.t, cmd.Start())
	w.t.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Wait()
	})
	m := &tools{t: w.t, in: in, out: bufio.NewScanner(out)}
	m.out.Buffer(nil, 1<<20)
	m.ask("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}`)
	_, err = fmt.Fprintln(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	must(w.t, err)
	return m
}

// ask sends a request and returns its result, or its error, as JSON.
func (m *tools) ask(method, params string) string {
	m.t.Helper()
	m.calls++
	_, err := fmt.Fprintf(m.in, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", m.calls, method, params)
	must(m.t, err)
	for m.out.Scan() {
		var reply struct {
			ID     int             `json:"id"`
			Result json.RawMessage `json:"result"`
			Error  json.RawMessage `json:"error"`
		}
		must(m.t, json.Unmarshal(m.out.Bytes(), &reply))
		if reply.ID == m.calls {
			return string(reply.Result) + string(reply.Error)
		}
	}
	m.t.Fatalf("%s is not answered: %v", method, m.out.Err())
	return ""
}

// call calls a tool with arguments as they are given.
func (m *tools) call(tool, arguments, meta string) toolReply {
	m.t.Helper()
	params := fmt.Sprintf(`{"name":%q,"_meta":%s`, tool, meta)
	if arguments != "" {
		params += `,"arguments":` + arguments
	}
	var reply toolReply
	result := m.ask("tools/call", params+"}")
	must(m.t, json.Unmarshal([]byte(result), &reply))
	if len(reply.Content) != 1 {
		m.t.Fatalf("the reply is %s", result)
	}
	return reply
}

func TestBadArgumentsAreRefusedByName(t *testing.T) {
	long := strings.Repeat("x", 65<<10)
	for _, hosted := range []bool{true, false} {
		w := newWorld(t, nil).offering()
		m := w.tools(hosted)
		for name, c := range map[string]struct{ arguments, field string }{
			"none":                 {``, "arguments"},
			"null":                 {`null`, "arguments"},
			"a list":               {`["title"]`, "arguments"},
			"a string":             {`"title"`, "arguments"},
			"enormous":             {`{"title":"t","summary":"s","prompt":"p","files":["` + strings.Repeat(long, 30) + `"]}`, "arguments"},
			"no title":             {`{"summary":"s","prompt":"p"}`, "title"},
			"no summary":           {`{"title":"t","prompt":"p"}`, "summary"},
			"no prompt":            {`{"title":"t","summary":"s"}`, "prompt"},
			"title a number":       {`{"title":7,"summary":"s","prompt":"p"}`, "title"},
			"title an object":      {`{"title":{},"summary":"s","prompt":"p"}`, "title"},
			"summary a list":       {`{"title":"t","summary":["s"],"prompt":"p"}`, "summary"},
			"rationale a number":   {`{"title":"t","summary":"s","prompt":"p","rationale":1}`, "rationale"},
			"prompt true":          {`{"title":"t","summary":"s","prompt":true}`, "prompt"},
			"files a string":       {`{"title":"t","summary":"s","prompt":"p","files":"a.go"}`, "files"},
			"title of spaces":      {`{"title":" \t\n ","summary":"s","prompt":"p"}`, "title"},
			"title that is hidden": {`{"title":"\u200b\u202e\u2066\u0007","summary":"s","prompt":"p"}`, "title"},
			"summary of spaces":    {`{"title":"t","summary":"\u00a0\u2003","prompt":"p"}`, "summary"},
			"prompt of spaces":     {`{"title":"t","summary":"s","prompt":"\n\n"}`, "prompt"},
			"prompt too long":      {`{"title":"t","summary":"s","prompt":"` + long + `"}`, "prompt"},
			"prompt with NUL":      {`{"title":"t","summary":"s","prompt":"a\u0000b"}`, "prompt"},
			"title twice":          {`{"title":"t","title":"u","summary":"s","prompt":"p"}`, "title"},
			"prompt twice, spelt":  {`{"title":"t","summary":"s","prompt":"p","pr\u006fmpt":"q"}`, "prompt"},
			"half a character":     {`{"title":"t","summary":"s","prompt":"\ud83d"}`, "prompt"},
		} {
			got := m.call("propose_thread", c.arguments, `{"claudecode/toolUseId":"`+name+`"}`)
			text := got.Content[0].Text
			if !got.IsError || !strings.HasPrefix(text, "Nothing was shown to the person: ") || !strings.Contains(text, c.field) {
				t.Errorf("hosted %t, %s: the agent is told %q, want the name %s", hosted, name, text, c.field)
			}
		}
		if all := listed[session.Proposal](w, "proposals", "--all"); len(all) != 0 {
			t.Errorf("hosted %t: there are cards %+v", hosted, all)
		}
		for name, c := range map[string]struct{ arguments, says string }{
			"no id":       {`{}`, "id"},
			"id a number": {`{"id":3}`, "id"},
			"unknown":     {`{"id":"zzzz"}`, "zzzz"},
		} {
			if got := m.call("withdraw_proposal", c.arguments, `{}`); !got.IsError || !strings.Contains(got.Content[0].Text, c.says) {
				t.Errorf("hosted %t, withdraw with %s: the agent is told %+v", hosted, name, got)
			}
		}
	}
}

func TestBadCharactersAreCleaned(t *testing.T) {
	w := newWorld(t, nil).offering()
	m := w.tools(true)
	got := m.call("propose_thread", `{
		"title":"\u001b[31mRed\u001b[0m \u202etitle\u202c\u200b\r\nof two lines \u001b]0;window\u0007",
		"summary":"`+strings.Repeat("👩‍👩‍👧‍👦", 401)+`",
		"rationale":" \u200b ",
		"prompt":"  \u202ekept\u202c as it is\u001b[2J  ",
		"files":["a.go", 7, "", "a.go", "../../etc/passwd", "\u001b[1mb.go", null, {"c":1}],
		"unknown":{"is":"left out"}
	}`, `{"claudecode/toolUseId":"toolu_1"}`)
	if got.IsError || !strings.Contains(got.Content[0].Text, "Red title of two lines") {
		t.Errorf("the agent is told %+v", got)
	}
	all := listed[session.Proposal](w, "proposals")
	if len(all) != 1 {
		t.Fatalf("there stand %+v", all)
	}
	p := all[0]
	if p.Title != "Red title of two lines" || p.Rationale != "" || p.CallID != "toolu_1" || p.Prompt != "\u202ekept\u202c as it is\x1b[2J" {
		t.Errorf("the offer is %+v", p)
	}
	if want := strings.Repeat("👩‍👩‍👧‍👦", 399) + "…"; p.Summary != want {
		t.Errorf("the summary has %d bytes, want %d", len(p.Summary), len(want))
	}
	if strings.Join(p.Files, " ") != "a.go ../../etc/passwd b.go" {
		t.Errorf("its files are %q", p.Files)
	}
	if got := m.call("propose_thread", `{"title":"🎉","summary":"s","prompt":"p"}`, `{"callId":"call_2"}`); got.IsError {
		t.Errorf("a title of an emoji is refused: %+v", got)
	}
}

func TestAnAgentsOffersFoldAndAreTakenBack(t *testing.T) {
	w := newWorld(t, nil).offering()
	m := w.tools(true)
	offer := func(n int, title, prompt string) toolReply {
		return m.call("propose_thread", fmt.Sprintf(`{"title":%q,"summary":"s","prompt":%q}`, title, prompt),
			fmt.Sprintf(`{"claudecode/toolUseId":"toolu_%d"}`, n))
	}
	first := offer(1, "Cover the loader", "Write tests.").Content[0].Text
	again := offer(2, "cover  the LOADER", "write\n tests.").Content[0].Text
	if strings.Replace(again, "cover the LOADER", "Cover the loader", 1) != first {
		t.Errorf("the same offer is answered\n%s\nand before\n%s", again, first)
	}
	if repeated := offer(1, "Cover the loader", "Write tests.").Content[0].Text; repeated != first {
		t.Errorf("the same call is answered %q", repeated)
	}
	if all := listed[session.Proposal](w, "proposals"); len(all) != 1 {
		t.Fatalf("there stand %+v", all)
	}
	id := w.proposal(listed[session.Proposal](w, "proposals")[0].ID).ID

	withdraw := func() toolReply { return m.call("withdraw_proposal", fmt.Sprintf(`{"id":%q}`, id), `{}`) }
	taken := withdraw()
	if taken.IsError || len(listed[session.Proposal](w, "proposals")) != 0 {
		t.Errorf("it is not taken back: %+v", taken)
	}
	if twice := withdraw(); twice.Content[0].Text != taken.Content[0].Text || twice.IsError {
		t.Errorf("taken back again, the agent is told %+v", twice)
	}
	if list := m.call("list_proposals", `{}`, `{}`).Content[0].Text; !strings.Contains(list, string(id)) || !strings.Contains(list, "Cover the loader") {
		t.Errorf("the list is %q", list)
	}
	w.refused(session.CodeSettled, "took this offer back", "start", string(id))

	for n := range 21 {
		got := offer(100+n, fmt.Sprintf("Offer %d", n), "Work.")
		if full := n == 20; got.IsError != full || full && !strings.Contains(got.Content[0].Text, "20 open offers") {
			t.Errorf("offer %d: the agent is told %+v", n, got)
		}
	}
}

// An offer whose prompt holds what an agent could take for a command of its
// own is handed over as it was shown, behind a neutral line.
func TestAPromptArrivesAsItWasShown(t *testing.T) {
	w := newWorld(t, nil).offering()
	for _, prompt := range []string{"!rm -rf x", "/clear", "-p dangerous", "# note", "'quoted' \"twice\" $HOME `x` \\n"} {
		id := w.aside("start", string(w.offer("With "+prompt, prompt)))
		if got := w.given(id, prompt); strings.TrimRight(got, "\n") != "Task:\n"+prompt {
			t.Errorf("%q arrives as %q", prompt, got)
		}
		if shown := w.entries(id)[0].Text; shown != prompt {
			t.Errorf("%q is shown as %q", prompt, shown)
		}
		w.aside("stop", id)
	}
}
