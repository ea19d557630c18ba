package actions_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"aside/proposals/actions"
	"aside/session"
)

func one(action string) string {
	return `{"schema_version":1,"choices":[{"title":"t","actions":[` + action + `]}]}`
}

func TestSchema(t *testing.T) {
	long := func(n int) string { return strings.Repeat("x", n) }
	run := `{"type":"run","command":"ls"}`
	for text, field := range map[string]string{
		`{}`: "schema_version", `{"schema_version":1}`: "choices", `{"choices":[]}`: "schema_version",
		`{"schema_version":2,"choices":[{"title":"t","actions":[` + run + `]}]}`:                                     "schema_version",
		`{"schema_version":"1","choices":[{"title":"t","actions":[` + run + `]}]}`:                                   "schema_version",
		`{"schema_version":1,"choices":[]}`:                                                                          "choices",
		`{"schema_version":1,"choices":{}}`:                                                                          "choices",
		`{"schema_version":1,"choices":[1]}`:                                                                         "choices[0]",
		`{"schema_version":1,"choices":[{"title":"t"}]}`:                                                             "choices[0].actions",
		`{"schema_version":1,"choices":[{"title":"t","actions":[]}]}`:                                                "choices[0].actions",
		`{"schema_version":1,"choices":[{"actions":[` + run + `]}]}`:                                                 "choices[0].title",
		`{"schema_version":1,"choices":[{"title":" ","actions":[` + run + `]}]}`:                                     "choices[0].title",
		`{"schema_version":1,"choices":[{"title":1,"actions":[` + run + `]}]}`:                                       "choices[0].title",
		`{"schema_version":1,"choices":[{"title":"t","window":1,"actions":[` + run + `]}]}`:                          "choices[0]",
		`{"schema_version":1,"session":"x","choices":[]}`:                                                            "the payload",
		`{"schema_version":1,"choices":[{"title":"` + long(201) + `","actions":[` + run + `]}]}`:                     "choices[0].title",
		`{"schema_version":1,"choices":[{"title":"t","rationale":"` + long(2001) + `","actions":[` + run + `]}]}`:    "choices[0].rationale",
		`{"schema_version":1,"choices":[{"title":"t","actions":[` + run + `,` + run + `,` + run + `,` + run + `]}]}`: "choices[0].actions",
		one(`{"type":"run"}`):                                                    "choices[0].actions[0].command",
		one(`{"type":"run","command":""}`):                                       "choices[0].actions[0].command",
		one(`{"type":"run","command":"` + long(8001) + `"}`):                     "choices[0].actions[0].command",
		one(`{"type":"run","command":"ls","pane":"shell1"}`):                     "choices[0].actions[0]",
		one(`{"type":"run","command":"ls","cwd":"sub"}`):                         "choices[0].actions[0]",
		one(`{"type":"run","Command":"ls"}`):                                     "choices[0].actions[0]",
		one(`{"type":"Run","command":"ls"}`):                                     "choices[0].actions[0].type",
		one(`{"command":"ls"}`):                                                  "choices[0].actions[0].type",
		one(`{"type":"open"}`):                                                   "choices[0].actions[0].place",
		one(`{"type":"open","place":"window"}`):                                  "choices[0].actions[0].place",
		one(`{"type":"open","place":"tab","direction":"right"}`):                 "choices[0].actions[0].direction",
		one(`{"type":"open","place":"split","direction":"left"}`):                "choices[0].actions[0].direction",
		one(`{"type":"open","place":"tab","command":"ls"}`):                      "choices[0].actions[0]",
		one(`{"type":"open_and_run","place":"tab"}`):                             "choices[0].actions[0].command",
		one(`{"type":"open_and_run","place":"tab","command":"ls","helper":"x"}`): "choices[0].actions[0]",
		one(`{"type":"delegate","title":"t"}`):                                   "choices[0].actions[0].prompt",
		one(`{"type":"delegate","prompt":"p"}`):                                  "choices[0].actions[0].title",
		one(`{"type":"delegate","title":"t","prompt":"p","agent":"x"}`):          "choices[0].actions[0]",
		one(`{"type":"delegate","title":"` + long(201) + `","prompt":"p"}`):      "choices[0].actions[0].title",
		`[]`: "the payload", `null`: "the payload", `{`: "the payload", `{"schema_version":1,"schema_version":1}`: "the payload",
	} {
		_, err := actions.Decode(text, inside)
		var f *actions.Fault
		if !errors.As(err, &f) || f.Policy || f.Field != field {
			t.Errorf("%.120s: got %+v, want a fault of %s", text, err, field)
		}
	}
}

func TestEveryKindOfActionIsRead(t *testing.T) {
	got, err := actions.Decode(`{"schema_version":1,"choices":[
		{"title":"A","rationale":"why","actions":[{"type":"run","command":"ls"},{"type":"open","place":"split","direction":"down","cwd":"sub","title":"log"}]},
		{"title":"B","actions":[{"type":"open_and_run","place":"split","command":"tail -f log"},{"type":"open","place":"tab"}]},
		{"title":"C","rationale":"","actions":[{"type":"delegate","title":"Cover it","prompt":"one\ntwo"}]}]}`, inside)
	if err != nil {
		t.Fatal(err)
	}
	want := []session.ActionChoice{
		{Title: "A", Rationale: "why", Actions: []session.TerminalAction{
			{Type: session.ActionRun, Command: "ls"},
			{Type: session.ActionOpen, Place: session.PlaceSplit, Direction: session.DirectionDown, Cwd: "/work/app/sub", Title: "log"},
		}},
		{Title: "B", Actions: []session.TerminalAction{
			{Type: session.ActionOpenAndRun, Place: session.PlaceSplit, Direction: session.DirectionRight, Command: "tail -f log"},
			{Type: session.ActionOpen, Place: session.PlaceTab},
		}},
		{Title: "C", Actions: []session.TerminalAction{{Type: session.ActionDelegate, Title: "Cover it", Prompt: "one\ntwo"}}},
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %+v", got)
	}
}

// In every field, whatever cannot be seen or moves what is seen is refused,
// and so is a folder outside.
func TestWhatCannotBeSeenIsRefusedInEveryField(t *testing.T) {
	fields := map[string]string{
		"choices[0].title":                `{"schema_version":1,"choices":[{"title":"a%sb","actions":[{"type":"run","command":"ls"}]}]}`,
		"choices[0].rationale":            `{"schema_version":1,"choices":[{"title":"t","rationale":"a%sb","actions":[{"type":"run","command":"ls"}]}]}`,
		"choices[0].actions[0].command":   one(`{"type":"run","command":"a%sb"}`),
		"choices[0].actions[0].cwd":       one(`{"type":"open","place":"tab","cwd":"a%sb"}`),
		"choices[0].actions[0].title":     one(`{"type":"open","place":"tab","title":"a%sb"}`),
		"choices[0].actions[0].prompt":    one(`{"type":"delegate","title":"t","prompt":"a%sb"}`),
		"choices[0].actions[0].title ":    one(`{"type":"delegate","title":"a%sb","prompt":"p"}`),
		"choices[0].actions[0].command  ": one(`{"type":"open_and_run","place":"tab","command":"a%sb"}`),
	}
	hidden := []string{
		`\u0000`, `\u0007`, `\b`, `\t`, `\r`, `\u001b`, `\u007f`, `\u0085`, `\u009b`, `\u2028`, `\u2029`, `\u000b`, `\f`,
		`\u202a`, `\u202b`, `\u202c`, `\u202d`, `\u202e`, `\u2066`, `\u2067`, `\u2068`, `\u2069`, `\u200e`, `\u200f`, `\u061c`,
		`\u200b`, `\u200c`, `\u200d`, `\u2060`, `\u2061`, `\ufeff`, `\u00ad`, `\u034f`, `\u180e`, `\ufe0f`, `\ufe00`, `\u3164`, `\uffa0`, `\u115f`,
		`\udb40\udc41`, `\udb40\udd00`, `\ud834\udd73`, `\ufff9`, `\ufffe`, `\ud83d\ude00\u200d`,
	}
	rows := 0
	for field, text := range fields {
		field = strings.TrimSpace(field)
		all := hidden
		if !strings.HasSuffix(field, "prompt") {
			all = append([]string{`\n`, `\r\n`}, hidden...)
		}
		for _, h := range all {
			rows++
			_, err := actions.Decode(fmt.Sprintf(text, h), inside)
			var f *actions.Fault
			if !errors.As(err, &f) || !f.Policy || f.Field != field {
				t.Errorf("%s in %s: got %v", h, field, err)
			}
		}
	}
	for _, cwd := range []string{"..", "../x", "a/../../x", "/etc", "/"} {
		_, err := actions.Decode(one(`{"type":"open","place":"tab","cwd":"`+cwd+`"}`), inside)
		var f *actions.Fault
		if !errors.As(err, &f) || !f.Policy {
			t.Errorf("cwd %s: got %v", cwd, err)
		}
	}
	t.Log(rows, "rows")
}

func TestTextOfOtherLanguagesIsFine(t *testing.T) {
	for _, s := range []string{"é", "漢字", "한글", "e\u0301", "😀", "עברית", "日本 語", "~^`$\\\"'"} {
		got, err := actions.Decode(one(`{"type":"run","command":`+quoted(s)+`}`), inside)
		if err != nil || got[0].Actions[0].Command != s {
			t.Errorf("%q: %v, %v", s, got, err)
		}
	}
}
