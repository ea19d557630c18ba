package session

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func toppings(several bool) Question {
	q := Question{Title: "Which?", Options: []Option{
		{ID: OptionChoice(1), Label: "Cheese"}, {ID: OptionChoice(2), Label: "Ham"}, {ID: OptionChoice(3), Label: "Olives, green"},
	}}
	if several {
		q.Options = append(q.Options, Option{ID: OptionSeveral, Label: "several", Note: true})
	}
	q.Options = append(q.Options, Option{ID: OptionOther, Label: "other", Note: true})
	return q
}

func TestATextAnswersAQuestion(t *testing.T) {
	for _, tt := range []struct {
		several    bool
		text, want string
		said       string
	}{
		{false, " 2 ", "choice2 ", "Ham"},
		{false, "olives, green", "choice3 ", "Olives, green"},
		{false, "1,2", "other 1,2", "1,2"},
		{true, "1, olives", "other 1, olives", "1, olives"},
		{true, "1, ham", "several 1,2", "Cheese, Ham"},
		{true, "0", "other 0", "0"},
		{true, "4", "other 4", "4"},
		{true, "as you like; it is late", "other as you like; it is late", "as you like; it is late"},
	} {
		q := toppings(tt.several)
		r := q.Reply(tt.text)
		if got := r.Option + " " + r.Note; got != tt.want || q.Said(r) != tt.said {
			t.Errorf("%q answers %q, said as %q; want %q, %q", tt.text, got, q.Said(r), tt.want, tt.said)
		}
	}
}

// What a person has picked goes to the agent by numbers, and no label may be
// taken for them.
func TestPickedChoicesAreNotTakenForALabel(t *testing.T) {
	q := Question{Options: []Option{
		{ID: OptionChoice(1), Label: "80"}, {ID: OptionChoice(2), Label: "443"}, {ID: OptionChoice(3), Label: "1,2"}, {ID: OptionSeveral, Note: true},
	}}
	for note, want := range map[string]string{"1,2": "80, 443", "3": "1,2", "2,2,2": "443", "443, 80": "443, 80"} {
		if got := q.Said(Reply{Option: OptionSeveral, Note: note}); got != want {
			t.Errorf("%s is %q, want %q", note, got, want)
		}
	}
}

func TestRepliesThatDoNotFit(t *testing.T) {
	d := Decision{Questions: []Question{toppings(false), toppings(true)}}
	ham := Reply{Option: OptionChoice(2)}
	for _, tt := range []struct {
		d    Decision
		a    Answer
		hint string
	}{
		{d, Answer{Option: OptionAnswers, Replies: []Reply{ham}}, "answer each of them, in their order"},
		{d, Answer{Option: OptionAnswers, Replies: []Reply{ham, ham, ham}}, "answer each of them, in their order"},
		{d, Answer{Option: OptionDeny, Replies: []Reply{ham, ham}}, "answer with one of its options"},
		{Decision{}, Answer{Option: OptionAnswers, Replies: []Reply{ham}}, "answer with one of its options"},
		{d, Answer{Option: OptionAnswers, Note: "1; 2", Replies: []Reply{ham, ham}}, "answer them in one way"},
		{d, Answer{Option: OptionAnswers, Replies: []Reply{{Option: OptionSeveral, Note: "1,2"}, ham}}, "its options are choice1, choice2, choice3, other"},
		{d, Answer{Option: OptionAnswers, Replies: []Reply{ham, {Option: OptionSeveral, Note: "1,4"}}}, "name them by number with commas between, such as 1,3"},
		{d, Answer{Option: OptionAnswers, Replies: []Reply{ham, {Option: OptionOther, Note: " "}}}, "give it as the note"},
		{d, Answer{Option: OptionAnswers, Replies: []Reply{{Option: OptionChoice(1), Note: "x"}, ham}}, "answer without the note"},
	} {
		err := tt.d.CheckReplies(tt.a)
		if CodeOf(err) != CodeUsage || !strings.Contains(fmt.Sprintf("%#v", err), tt.hint) {
			t.Errorf("%+v: %#v, want the hint %q", tt.a, err, tt.hint)
		}
	}
	for _, a := range []Answer{
		{Option: OptionAnswers, Note: "1; 2"},
		{Option: OptionDeny},
		{Option: OptionAnswers, Replies: []Reply{{Option: OptionOther, Note: "a; b"}, {Option: OptionSeveral, Note: "1,3"}}},
	} {
		if err := d.CheckReplies(a); err != nil {
			t.Errorf("%+v: %v", a, err)
		}
	}
}

func TestAnAnswerIsSaidInWords(t *testing.T) {
	d := Decision{Questions: []Question{toppings(false), toppings(true)}}
	a := Answer{Option: OptionAnswers, Replies: []Reply{{Option: OptionOther, Note: "a;\x1b[31m b"}, {Option: OptionSeveral, Note: "1,3"}}}
	if got := d.Said(a); got != "Which? — a; b\nWhich? — Cheese, Olives, green" {
		t.Errorf("said %q", got)
	}
	if got := d.Said(Answer{Option: OptionDeny, Note: "no"}); got != "no" {
		t.Errorf("said %q", got)
	}
}

func TestStepsGoOnToTheFirstQuestionWithoutAReply(t *testing.T) {
	d := Decision{
		Title: "3 questions", Options: []Option{{ID: OptionAnswers}, {ID: OptionDeny}},
		Questions: []Question{toppings(false), toppings(true), toppings(false)},
	}
	ids := func(options []Option) string {
		var out []string
		for _, o := range options {
			out = append(out, o.ID)
		}
		return strings.Join(out, " ")
	}
	var s Steps
	if s.Back() {
		t.Error("there is a question before the first")
	}
	if got := ids(d.Asks(s).Options); got != "choice1 choice2 choice3 other deny" || d.Asks(s).Title != "Which?" {
		t.Errorf("the first is answered by %s", got)
	}
	s.Give(Reply{Option: "choice1"})
	s.Give(Reply{Option: "choice2"})
	before := s
	if back := s.Back(); !back || !s.Back() || s.Reply().Option != "choice1" {
		t.Errorf("two back is %+v", s)
	}
	s.Give(Reply{Option: "choice3"})
	if s.At != 2 || s.Done(d) || s.Replies[0].Option != "choice3" || before.Replies[0].Option != "choice1" {
		t.Errorf("%+v, and the copy %+v", s, before)
	}
	s.Give(Reply{Option: "choice1"})
	if !s.Done(d) || ids(d.Asks(s).Options) != "deny" {
		t.Errorf("at the end %+v: %s", s, ids(d.Asks(s).Options))
	}
	s.Back()
	if s.Keep(); !s.Done(d) || len(s.Replies) != 3 {
		t.Errorf("a reply that was kept: %+v", s)
	}
	one := Decision{Title: "One", Options: d.Options}
	if got := one.Asks(Steps{}); got.Title != "One" || !slices.Equal(got.Options, one.Options) {
		t.Errorf("a decision of one question is asked as %+v", got)
	}
}
