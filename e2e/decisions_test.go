//go:build e2e

package e2e

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aside/e2e/term"
	"aside/session"
	"aside/session/transcript"
)

// ask starts a thread of the client on a script and returns its id.
func (s *stage) ask(t *testing.T, script ...string) string {
	t.Helper()
	return s.aside(t, "new", "--agent", "claude", "--checkout", "shared", strings.Join(script, "\n"))
}

// labels are a decision's options by what they say.
func labels(d session.Decision) string {
	var out []string
	for _, o := range d.Options {
		out = append(out, o.ID+"="+o.Label)
	}
	return strings.Join(out, " | ")
}

// choose answers a decision with the option of a label.
func (s *stage) choose(t *testing.T, d session.Decision, label string) {
	t.Helper()
	for _, o := range d.Options {
		if o.Label == label {
			s.aside(t, "answer", string(d.ID), o.ID)
			return
		}
	}
	t.Fatalf("no option %q among %s", label, labels(d))
}

// whole waits until the agent has said what its script ends with.
func (s *stage) whole(t *testing.T, id, last string) {
	t.Helper()
	await(t, "the agent's "+last, func() (struct{}, bool) {
		return struct{}{}, slices.ContainsFunc(listed[transcript.Entry](t, s, "transcript", id), func(e transcript.Entry) bool {
			return e.Kind == transcript.KindAssistant && e.Text == last
		})
	})
	if left := listed[session.Decision](t, s, "decisions"); len(left) != 0 {
		t.Errorf("still asked: %+v", left)
	}
}

// Every answer that lasts stops the asking: the same call again asks nothing.
func TestAnAnswerThatLastsIsObeyed(t *testing.T) {
	outside := tempDir(t)
	for name, tt := range map[string]struct{ call, label, kept string }{
		"a rule in this session": {
			`Bash {"command":"node -e 'require(\"fs\").appendFileSync(\"ran\",\"x\")'"}`,
			`always: Bash(node -e 'require("fs").appendFileSync("ran","x")') in this session`, "",
		},
		"a rule in this project": {
			`Bash {"command":"node -e 'require(\"fs\").appendFileSync(\"ran\",\"x\")'"}`,
			`always: Bash(node -e 'require("fs").appendFileSync("ran","x")') in this project`, `node -e`,
		},
		"edits": {
			`Bash {"command":"touch ran"}`, "always: accept edits in this session", "",
		},
		"edits elsewhere": {
			`Write {"file_path":"` + outside + `/ran","content":"x"}`,
			"always: accept edits and work in " + outside + " in this session", "",
		},
		"a tool": {
			`WebFetch {"url":"http://127.0.0.1:1/","prompt":"x"}`, "always: WebFetch(domain:127.0.0.1) in this session", "",
		},
		"a tool in this project": {
			`WebFetch {"url":"http://127.0.0.1:1/","prompt":"x"}`, "always: WebFetch(domain:127.0.0.1) in this project", "WebFetch",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			s.withAside(t)
			id := s.ask(t, "@tool "+tt.call, "@tool "+tt.call, "@text Both are done.")
			s.choose(t, s.decision(t), tt.label)
			s.whole(t, id, "Both are done.")
			if got := s.answered(t, 2); len(got) != 2 {
				t.Errorf("tool results %q", got)
			}
			local, err := os.ReadFile(filepath.Join(s.project, ".claude", "settings.local.json"))
			if tt.kept == "" && err == nil || tt.kept != "" && !strings.Contains(string(local), tt.kept) {
				t.Errorf("the project's settings are %q, %v; want %q in them", local, err, tt.kept)
			}
			if tt.kept == "" {
				return
			}
			// Another conversation in the same project is not asked either.
			s.aside(t, "stop", id)
			again := s.ask(t, "@tool "+tt.call, "@text Again.")
			s.whole(t, again, "Again.")
		})
	}
}

const colour = `{"question":"Which colour?","header":"Colour","options":[{"label":"Red","description":"warm"},{"label":"Blue","description":"cold"}],"multiSelect":false}`

const toppings = `{"question":"Which toppings?","header":"Top","options":[{"label":"Cheese","description":"a"},{"label":"Ham","description":"b"},{"label":"Olives","description":"c"}],"multiSelect":true}`

// told says that the first answer that the agent got has some texts in it, and
// not the others.
func (s *stage) told(t *testing.T, with, without []string) {
	t.Helper()
	got := s.answered(t, 1)[0]
	for _, want := range with {
		if !strings.Contains(got, want) {
			t.Errorf("the agent was told %q, want %q in it", got, want)
		}
	}
	for _, other := range without {
		if strings.Contains(got, other) {
			t.Errorf("the agent was told %q, want no %q in it", got, other)
		}
	}
}

func TestQuestionsAreAnsweredWithChoicesAndInOnesOwnWords(t *testing.T) {
	for name, tt := range map[string]struct {
		questions, option string
		with              []string
		told              []string
		untold            []string
	}{
		"one choice":        {colour, "choice2", nil, []string{"Blue"}, []string{"Red"}},
		"own words":         {colour, "other", []string{"--note", "Green, like grass"}, []string{"Green, like grass"}, []string{"Red", "Blue"}},
		"one of several":    {toppings, "choice3", nil, []string{"Olives"}, []string{"Cheese", "Ham"}},
		"several":           {toppings, "several", []string{"--note", "1,3"}, []string{"Cheese", "Olives"}, []string{"Ham"}},
		"several questions": {colour + "," + toppings, "answers", []string{"--note", "1; 2,3"}, []string{"Red", "Ham", "Olives"}, []string{"Blue", "Cheese"}},
		"each question": {
			colour + "," + toppings, "answers",
			[]string{"--each", "green; like grass", "--each", "2,olives"},
			[]string{"green; like grass", "Ham, Olives"},
			[]string{"Red", "Blue", "Cheese"},
		},
		"declined": {colour, "deny", []string{"--note", "Let us talk first"}, []string{"Let us talk first"}, []string{"Red", "Blue"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			s.withAside(t)
			id := s.ask(t, `@tool AskUserQuestion {"questions":[`+tt.questions+`]}`, "@text I see.")
			d := s.decision(t)
			if d.Kind != session.KindQuestion {
				t.Errorf("the decision is %+v", d)
			}
			s.aside(t, append([]string{"answer", string(d.ID), tt.option}, tt.with...)...)
			s.told(t, tt.told, tt.untold)
			s.whole(t, id, "I see.")
		})
	}
}

// What is pressed for one question after another is what the agent is told, and
// not before the answers were read and sent.
func TestSeveralQuestionsAreAnsweredStepByStepOnTheScreen(t *testing.T) {
	for name, tt := range map[string]struct {
		first  func(t *testing.T, screen *term.Terminal)
		told   []string
		untold []string
	}{
		"by choices": {
			func(t *testing.T, screen *term.Terminal) {
				must(t, screen.Key("ctrl+space", "2"))
			},
			[]string{`"Which colour?"="Blue"`, `"Which toppings?"="Cheese, Olives"`},
			[]string{"Red", "Ham"},
		},
		"in one's own words": {
			func(t *testing.T, screen *term.Terminal) {
				must(t, screen.Key("ctrl+space", "d"))
				see(t, screen, `3/o other`)
				must(t, screen.Key("o"))
				see(t, screen, `note: `)
				must(t, screen.Type("2; 3; like grass"))
				see(t, screen, `2; 3; like grass`)
				must(t, screen.Key("enter"))
			},
			[]string{`"Which colour?"="2; 3; like grass"`, `"Which toppings?"="Cheese, Olives"`},
			[]string{"Red", "Blue", "Ham"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			s.withAside(t)
			id := s.ask(t, `@tool AskUserQuestion {"questions":[`+colour+`,`+toppings+`]}`, "@text I see.")
			d := s.decision(t)
			screen := s.open(t, binary(t))
			see(t, screen, `Claude asks, question 1 of 2`)
			tt.first(t, screen)
			see(t, screen, `Claude asks, question 2 of 2`)
			must(t, screen.Key("4"))
			see(t, screen, `\[ \] 1 Cheese`)
			must(t, screen.Key("1", "3"))
			see(t, screen, `\[x\] 3 Olives`)
			must(t, screen.Key("enter"))
			see(t, screen, `Claude asks, your answers`)
			see(t, screen, `2 Which toppings\? — Cheese, Olives`)
			if still := listed[session.Decision](t, s, "decisions"); len(still) != 1 || still[0].ID != d.ID {
				t.Errorf("before the answers are sent, the agent is held on %+v", still)
			}
			must(t, screen.Key("enter"))
			s.told(t, tt.told, tt.untold)
			s.whole(t, id, "I see.")
			if !slices.ContainsFunc(listed[transcript.Entry](t, s, "transcript", id), func(e transcript.Entry) bool {
				return e.Decision == d.ID && strings.HasSuffix(e.Input, "\nWhich toppings? — Cheese, Olives")
			}) {
				t.Error("the transcript does not tell the answers")
			}
		})
	}
}

func TestAPlanIsApprovedOrSentBackWithANote(t *testing.T) {
	s := newStage(t)
	s.withAside(t)
	const plan = `@tool ExitPlanMode {"plan":"# Tidy up\n1. Remove what is left over"}`
	id := s.ask(t, "@tool EnterPlanMode {}", plan, plan, "@text It is approved.")
	first := s.decision(t)
	if first.Kind != session.KindPlan || first.Title != "Tidy up" || !strings.Contains(first.Detail, "1. Remove what is left over") {
		t.Errorf("the decision is %+v", first)
	}
	s.aside(t, "answer", string(first.ID), "deny", "--note", "Say what is left over")
	told := s.answered(t, 2)[1]
	if !strings.Contains(told, "Say what is left over") {
		t.Errorf("the agent was told %q", told)
	}
	second := await(t, "the plan again", func() (session.Decision, bool) {
		found := listed[session.Decision](t, s, "decisions")
		return append(found, session.Decision{})[0], len(found) == 1 && found[0].ID != first.ID
	})
	s.aside(t, "answer", string(second.ID), "approve")
	if told := s.answered(t, 3)[2]; !strings.Contains(told, "approved") {
		t.Errorf("the agent was told %q", told)
	}
	s.whole(t, id, "It is approved.")
	if out := s.aside(t, "screen", id); strings.Contains(out, "plan mode on") {
		t.Errorf("it still plans:\n%s", out)
	}
}

func TestARequestOfASubAgentIsAnswered(t *testing.T) {
	s := newStage(t)
	s.withAside(t)
	id := s.ask(t,
		`@tool Agent {"description":"Helps","subagent_type":"general-purpose","prompt":"@tool Bash {\"command\":\"touch by-sub-agent\"}\n@text The helper is done."}`,
		"@text All is done.")
	d := s.decision(t)
	if !strings.Contains(d.Detail, "touch by-sub-agent") || !strings.Contains(d.Detail, "sub-agent general-purpose") {
		t.Errorf("the decision is %+v", d)
	}
	s.aside(t, "answer", string(d.ID), "once")
	// It may work in the background, and the agent be done before it.
	await(t, "the sub-agent's command", func() (struct{}, bool) { return struct{}{}, s.has(t, "by-sub-agent") })
	s.whole(t, id, "All is done.")
}

func TestTwoRequestsAtOnceAreAnsweredApart(t *testing.T) {
	s := newStage(t)
	s.withAside(t)
	id := s.ask(t,
		`@tool Write {"file_path":"`+s.project+`/first","content":"1"}`,
		`@with Write {"file_path":"`+s.project+`/second","content":"2"}`, "@text Both are settled.")
	for range 2 {
		d := s.decision(t)
		option := "deny"
		if d.Title == "first" {
			option = "once"
		}
		s.aside(t, "answer", string(d.ID), option)
		await(t, "the next", func() (struct{}, bool) {
			found := listed[session.Decision](t, s, "decisions")
			return struct{}{}, len(found) == 0 || found[0].ID != d.ID
		})
		if option == "deny" && s.has(t, "second") {
			t.Error("what was denied was written")
		}
	}
	s.whole(t, id, "Both are settled.")
	if !s.has(t, "first") || s.has(t, "second") {
		t.Error("the verdicts were mixed up")
	}
}
