package demo

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"aside/session"
)

// turn is what the agent does with one prompt. It works in a goroutine of
// its own and shows what it does through the loop.
type turn struct {
	app  *app
	ctx  context.Context
	last string // the last thing said
	exit bool
}

// show lets the loop do something. It returns when that is done.
func (t *turn) show(f func()) {
	done := make(chan struct{})
	t.app.posts <- func() { f(); close(done) }
	<-done
}

// run takes a prompt to its end.
func (t *turn) run(prompt string) {
	a := t.app
	t.show(func() { a.view.say(kindPrompt, session.Mark(prompt)) })
	a.record.prompted(prompt)
	a.hooks.tell(t.ctx, "UserPromptSubmit", fields{"prompt": prompt})
	t.act(prompt)
	if t.ctx.Err() != nil {
		a.record.interrupted()
		t.show(func() { a.view.say(kindNotice, "Interrupted") })
		return
	}
	a.hooks.tell(t.ctx, "Stop", fields{"last_assistant_message": t.last, "background_tasks": []string{}})
}

// act does what the prompt asks for.
func (t *turn) act(prompt string) {
	// A prompt that a model wrote comes behind a neutral line.
	text := strings.TrimSpace(strings.TrimPrefix(prompt, "Task:\n"))
	switch strings.ToLower(text) {
	case "help":
		t.show(func() { t.app.view.say(kindNotice, help) })
	case "offer":
		t.offer()
	case "action":
		t.propose()
	case "ask":
		t.ask()
	case "edit":
		t.edit()
	case "question":
		t.question(questions[0])
	case "questions":
		t.question(questions[:]...)
	case Tour:
		t.say(sayTour)
		t.offer()
		t.say(sayAsk)
		t.ask()
		t.say(sayPropose)
		t.propose()
		t.say(sayDone)
	case "colors", "colours":
		t.show(func() { t.app.view.add(item{kind: kindPicture, lines: colors()}) })
	case "wide":
		t.show(func() { t.app.view.add(item{kind: kindPicture, lines: widths()}) })
	case "exit", "quit":
		t.exit = true
	default:
		t.say(sayLook)
		t.tool("Bash", fields{"command": commandLook, "description": "List files"}, func() (string, bool) { return t.shell(commandLook) })
		first, _, _ := strings.Cut(text, "\n")
		t.say(sayReply + " " + session.MarkLine(first))
		t.say(sayWork)
	}
}

// say shows a sentence word by word, unless the turn was interrupted.
func (t *turn) say(text string) {
	if t.ctx.Err() != nil {
		return
	}
	t.show(func() { t.app.view.say(kindSay, "") })
	for i, word := range strings.SplitAfter(text, " ") {
		if i > 0 && !t.pause(t.app.o.pace) {
			return
		}
		t.show(func() { t.app.view.more(word) })
	}
	t.app.record.said(text)
	t.last = text
}

// pause waits, and says whether the turn goes on.
func (t *turn) pause(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-t.ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

func newCallID() string { return "toolu_" + session.NewID() }

// tool uses a tool that needs no permission.
func (t *turn) tool(name string, in fields, do func() (output string, failed bool)) {
	if t.ctx.Err() != nil {
		return
	}
	id := newCallID()
	t.begin(id, name, in)
	t.finish(id, name, in, do)
}

func (t *turn) begin(id, name string, in fields) {
	t.app.record.toolUsed(id, name, in)
	t.app.hooks.tell(t.ctx, "PreToolUse", fields{"tool_name": name, "tool_input": in, "tool_use_id": id})
	t.show(func() { t.app.view.say(kindTool, headline(name, in)) })
}

func (t *turn) finish(id, name string, in fields, do func() (output string, failed bool)) {
	output, failed := do()
	event := fields{"tool_name": name, "tool_input": in, "tool_use_id": id, "tool_response": fields{"stdout": output}}
	if failed {
		t.app.hooks.tell(t.ctx, "PostToolUseFailure", event)
	} else {
		t.app.hooks.tell(t.ctx, "PostToolUse", event)
	}
	t.app.record.toolDone(id, output, failed)
	t.show(func() { t.app.view.say(kindOutput, preview(output)) })
}

func headline(name string, in fields) string {
	for _, argument := range []string{"command", "file_path", "title"} {
		if s, ok := in[argument].(string); ok {
			return name + "  " + session.MarkLine(s)
		}
	}
	return name
}

// previewLines is how much of an output is shown.
const previewLines = 8

func preview(output string) string {
	lines := strings.Split(strings.TrimRight(session.Clean(output), "\n"), "\n")
	if more := len(lines) - previewLines; more > 0 {
		lines = append(lines[:previewLines], fmt.Sprintf("… %d more lines", more))
	}
	return strings.Join(lines, "\n")
}

// shell runs a command in the checkout.
func (t *turn) shell(command string) (output string, failed bool) {
	cmd := exec.CommandContext(t.ctx, "/bin/sh", "-c", command)
	cmd.Dir, cmd.WaitDelay = t.app.cwd, time.Second
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Sprintf("%s%v\n", out, err), true
	}
	return string(out), false
}

// offer offers the two threads.
func (t *turn) offer() {
	for _, o := range offers {
		in := fields{"title": o.Title, "summary": o.Summary, "rationale": o.Rationale, "prompt": o.Prompt, "files": o.Files}
		if !t.through("propose_thread", in) {
			return
		}
	}
	t.say(sayOffered)
}

// propose proposes commands for the person's shell.
func (t *turn) propose() {
	if t.through("propose_terminal_actions", fields{"schema_version": 1, "choices": choices}) {
		t.say(sayProposed)
	}
}

// through calls one of aside's own tools, and reports whether it took the
// call.
func (t *turn) through(tool string, in fields) (taken bool) {
	if t.ctx.Err() != nil {
		return false
	}
	id, name := newCallID(), "mcp__aside__"+tool
	t.begin(id, name, in)
	t.finish(id, name, in, func() (string, bool) {
		text, err := t.app.call(t.ctx, tool, in, map[string]any{"claudecode/toolUseId": id})
		if err != nil {
			return err.Error(), true
		}
		taken = true
		return text, false
	})
	if !taken {
		t.say(sayNotTaken)
	}
	return taken
}

// ask asks to run a command.
func (t *turn) ask() {
	in := fields{"command": commandAsk, "description": "See what has changed"}
	t.guarded("Bash", in, []string{commandAsk}, "Yes, and do not ask again for this command", sayAllowed, func() (string, bool) {
		return t.shell(commandAsk)
	})
}

// edit asks to write a file.
func (t *turn) edit() {
	path := filepath.Join(t.app.cwd, notesFile)
	in := fields{"file_path": path, "content": notesText}
	about := []string{notesFile, ""}
	for text := range strings.Lines(notesText) {
		about = append(about, "+"+strings.TrimSuffix(text, "\n"))
	}
	t.guarded("Write", in, about, "Yes, and do not ask again for edits", sayWritten, func() (string, bool) {
		if err := os.WriteFile(path, []byte(notesText), 0o644); err != nil { //nolint:gosec // a file of the project, like any other
			return err.Error(), true
		}
		return "Wrote " + notesFile, false
	})
}

// guarded uses a tool that needs permission, unless it was given for the
// whole session.
func (t *turn) guarded(name string, in fields, about []string, always, done string, do func() (string, bool)) {
	if t.ctx.Err() != nil {
		return
	}
	id := newCallID()
	t.begin(id, name, in)
	if !t.app.allowed[name] {
		rule := fields{"type": "addRules", "behavior": "allow", "destination": "session", "rules": []fields{{"toolName": name, "ruleContent": in["command"]}}}
		if name == "Write" {
			rule = fields{"type": "setMode", "mode": "acceptEdits", "destination": "session"}
		}
		chosen, v, ok := t.hold(
			fields{"tool_name": name, "tool_input": in, "permission_suggestions": []fields{rule}},
			&menu{title: "The demo agent wants to use " + name, about: about, options: []string{"Yes", always, "No"}})
		switch {
		case !ok:
			return
		case slices.Contains(chosen, 2), v.Behavior == "deny":
			t.refused(id, v.Message)
			return
		case slices.Contains(chosen, 1), len(v.UpdatedPermissions) > 0:
			t.app.allowed[name] = true
		}
	}
	t.finish(id, name, in, do)
	t.say(done)
}

func (t *turn) refused(id, note string) {
	if note == "" {
		note = "The user declined."
	}
	t.app.record.toolDone(id, note, true)
	t.show(func() { t.app.view.say(kindOutput, session.Mark(note)) })
	t.say(sayDenied)
}

// question asks a question, or several at once.
func (t *turn) question(questions ...question) {
	var asked []fields
	var menus []*menu
	for _, q := range questions {
		var choices []fields
		m := &menu{title: q.text}
		for _, c := range q.choices {
			choices = append(choices, fields{"label": c.label, "description": c.description})
			m.options = append(m.options, c.label+" — "+c.description)
		}
		m.options = append(m.options, "None of these")
		asked = append(asked, fields{"question": q.text, "header": q.header, "options": choices, "multiSelect": q.several})
		menus = append(menus, m)
	}
	in := fields{"questions": asked}
	id := newCallID()
	t.begin(id, "AskUserQuestion", in)
	chosen, v, ok := t.hold(fields{"tool_name": "AskUserQuestion", "tool_input": in}, menus...)
	if !ok {
		return
	}
	var answers []string
	for i, q := range questions {
		if i < len(chosen) && chosen[i] < len(q.choices) {
			answers = append(answers, q.choices[chosen[i]].label)
		} else if a, ok := v.UpdatedInput.Answers[q.text]; ok {
			answers = append(answers, strings.Join(a, ", "))
		}
	}
	answer := strings.Join(answers, "; ")
	t.finish(id, "AskUserQuestion", in, func() (string, bool) { return answer, answer == "" })
	if answer == "" {
		t.say(strings.TrimSpace(sayDeclined + " " + session.MarkLine(v.Message)))
		return
	}
	t.say(sayAnswered + " " + session.MarkLine(answer))
}

// hold asks for a decision, in the hook and in the agent's own prompts, one
// after another, at the same time; the first answer wins. It returns the
// options chosen in the terminal, or none with the hook's verdict; not ok when
// the turn was interrupted. A hook that prints nothing leaves the terminal's
// prompt in charge.
func (t *turn) hold(request fields, menus ...*menu) ([]int, verdict, bool) {
	ctx, cancel := context.WithCancel(t.ctx)
	defer cancel()
	printed := make(chan []byte, 1)
	go func() { printed <- t.app.hooks.run(ctx, "PermissionRequest", request) }()
	var all []int
	for _, m := range menus {
		i, v, ok := t.prompt(m, printed)
		if i < 0 {
			t.show(func() { t.app.view.menu = nil })
			return nil, v, ok
		}
		all = append(all, i)
	}
	return all, verdict{}, true
}

// prompt shows one of the agent's own prompts until an option is chosen in it;
// it returns -1 with the hook's verdict when that comes first, and not ok when
// the turn was interrupted.
func (t *turn) prompt(m *menu, printed <-chan []byte) (int, verdict, bool) {
	m.chosen = make(chan int, 1)
	t.show(func() { t.app.view.menu = m })
	for {
		select {
		case i := <-m.chosen:
			return i, verdict{}, true
		case out := <-printed:
			if v, ok := decode(out); ok {
				return -1, v, true
			}
		case <-t.ctx.Done():
			return -1, verdict{}, false
		}
	}
}
