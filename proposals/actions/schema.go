package actions

import (
	"fmt"
	"strconv"
	"unicode"
	"unicode/utf8"

	"aside/session"
)

// The limits of schema 1 (contracts/terminal-actions.md). Characters are code
// points.
const (
	choicesMax   = 3
	actionsMax   = 3 // of each choice
	titleMax     = 200
	rationaleMax = 2000
	commandMax   = 8000
	cwdMax       = 4096
)

// A Fault says what is wrong with a proposal.
type Fault struct {
	// Policy marks what no retry mends: the proposal holds what must not be
	// shown, or reaches where it must not.
	Policy bool
	Field  string // such as choices[1].actions[0].command
	Reason string // goes on the sentence that Field begins
}

func (f *Fault) Error() string { return f.Field + " " + f.Reason }

// Resolve returns the absolute path of a folder, symbolic links followed, and
// false when it is no folder inside the thread's checkout. What it is given is
// relative to the folder of the thread, or absolute.
type Resolve func(cwd string) (string, bool)

// Decode reads a proposal of schema 1. Unknown fields, wrong types, counts and
// lengths are faults of the schema; only where there are none, the text and
// the folders are judged. An error is a *Fault.
func Decode(text string, resolve Resolve) ([]session.ActionChoice, error) {
	v, err := parse(text)
	if err != nil {
		return nil, &Fault{Field: "the payload", Reason: "is no JSON that can be read: " + err.Error()}
	}
	choices, err := choicesOf(v)
	if err != nil {
		return nil, err
	}
	if err := judge(choices, resolve); err != nil {
		return nil, err
	}
	return choices, nil
}

func choicesOf(v value) ([]session.ActionChoice, error) {
	o := fields{value: v, path: "the payload"}
	if err := o.only("schema_version", "choices"); err != nil {
		return nil, err
	}
	if n, ok := v.get("schema_version"); !ok || n.kind != '0' || n.text != "1" {
		return nil, &Fault{Field: "schema_version", Reason: "must be 1"}
	}
	list, err := array(v, "choices", "choices", choicesMax)
	if err != nil {
		return nil, err
	}
	choices := make([]session.ActionChoice, len(list))
	for i, item := range list {
		if choices[i], err = choiceOf(fields{value: item, path: "choices[" + strconv.Itoa(i) + "]"}); err != nil {
			return nil, err
		}
	}
	return choices, nil
}

func choiceOf(o fields) (c session.ActionChoice, err error) {
	if err = o.only("title", "rationale", "actions"); err != nil {
		return c, err
	}
	if c.Title, err = o.text("title", titleMax, true); err != nil {
		return c, err
	}
	if c.Rationale, err = o.text("rationale", rationaleMax, false); err != nil {
		return c, err
	}
	list, err := array(o.value, "actions", o.path+".actions", actionsMax)
	if err != nil {
		return c, err
	}
	for i, item := range list {
		a, err := actionOf(fields{value: item, path: o.path + ".actions[" + strconv.Itoa(i) + "]"})
		if err != nil {
			return c, err
		}
		c.Actions = append(c.Actions, a)
	}
	return c, nil
}

func actionOf(o fields) (a session.TerminalAction, err error) {
	if err = o.object(); err != nil {
		return a, err
	}
	kind, err := o.text("type", titleMax, true)
	if err != nil {
		return a, err
	}
	a.Type = session.ActionKind(kind)
	switch a.Type {
	case session.ActionRun:
		err = o.only("type", "command")
	case session.ActionOpen:
		err = o.only("type", "place", "direction", "cwd", "title")
	case session.ActionOpenAndRun:
		err = o.only("type", "place", "direction", "cwd", "title", "command")
	case session.ActionDelegate:
		err = o.only("type", "title", "prompt")
	default:
		return a, &Fault{Field: o.path + ".type", Reason: "must be run, open, open_and_run or delegate"}
	}
	if err != nil {
		return a, err
	}
	if a.Type.Runs() {
		if a.Command, err = o.text("command", commandMax, true); err != nil {
			return a, err
		}
	}
	if a.Type.Opens() {
		return a, o.opening(&a)
	}
	if a.Type == session.ActionDelegate {
		if a.Title, err = o.text("title", titleMax, true); err != nil {
			return a, err
		}
		a.Prompt, err = o.text("prompt", MaxProposal, true)
	}
	return a, err
}

// MaxProposal is the most that a proposal through the tool may take, in bytes.
const MaxProposal = 64 << 10

// opening reads what says where a pane is opened.
func (o fields) opening(a *session.TerminalAction) (err error) {
	place, err := o.text("place", titleMax, true)
	if err != nil {
		return err
	}
	direction, err := o.text("direction", titleMax, false)
	if err != nil {
		return err
	}
	a.Place, a.Direction = session.Place(place), session.Direction(direction)
	switch {
	case a.Place != session.PlaceTab && a.Place != session.PlaceSplit:
		return &Fault{Field: o.path + ".place", Reason: "must be tab or split"}
	case a.Place == session.PlaceTab && a.Direction != "":
		return &Fault{Field: o.path + ".direction", Reason: "is of a split only"}
	case a.Direction != "" && a.Direction != session.DirectionRight && a.Direction != session.DirectionDown:
		return &Fault{Field: o.path + ".direction", Reason: "must be right or down"}
	case a.Place == session.PlaceSplit && a.Direction == "":
		a.Direction = session.DirectionRight
	}
	if a.Cwd, err = o.text("cwd", cwdMax, false); err != nil {
		return err
	}
	a.Title, err = o.text("title", titleMax, false)
	return err
}

// fields reads the members of an object.
type fields struct {
	value
	path string
}

func (o fields) object() error {
	if o.kind != '{' {
		return &Fault{Field: o.path, Reason: "must be an object"}
	}
	return nil
}

// only refuses every field but the named ones.
func (o fields) only(names ...string) error {
	if err := o.object(); err != nil {
		return err
	}
	for _, k := range o.keys {
		known := false
		for _, n := range names {
			known = known || k == n
		}
		if !known {
			return &Fault{Field: o.path, Reason: fmt.Sprintf("has an unknown field %q", clip(k))}
		}
	}
	return nil
}

// text reads a string. Only one that is not required may be absent or empty.
func (o fields) text(name string, most int, required bool) (string, error) {
	v, there := o.get(name)
	switch n := utf8.RuneCountInString(v.text); {
	case !there && !required:
		return "", nil
	case !there:
		return "", &Fault{Field: o.path + "." + name, Reason: "is missing"}
	case v.kind != '"':
		return "", &Fault{Field: o.path + "." + name, Reason: "must be a string"}
	case required && blank(v.text):
		return "", &Fault{Field: o.path + "." + name, Reason: "is empty"}
	case n > most:
		return "", &Fault{Field: o.path + "." + name, Reason: fmt.Sprintf("has %d characters, %d are the limit", n, most)}
	}
	return v.text, nil
}

func blank(s string) bool {
	for _, r := range s {
		if !unicode.IsSpace(r) {
			return false
		}
	}
	return true
}

func array(v value, name, path string, most int) ([]value, error) {
	list, ok := v.get(name)
	switch {
	case !ok || list.kind != '[':
		return nil, &Fault{Field: path, Reason: "must be an array"}
	case len(list.values) < 1 || len(list.values) > most:
		return nil, &Fault{Field: path, Reason: fmt.Sprintf("must have 1 to %d items", most)}
	}
	return list.values, nil
}

// judge applies the policy on texts and folders. Folders come out resolved.
func judge(choices []session.ActionChoice, resolve Resolve) error {
	for i := range choices {
		c := &choices[i]
		path := "choices[" + strconv.Itoa(i) + "]"
		if err := visible(path+".title", c.Title, false); err != nil {
			return err
		}
		if err := visible(path+".rationale", c.Rationale, false); err != nil {
			return err
		}
		for k := range c.Actions {
			if err := judgeAction(path+".actions["+strconv.Itoa(k)+"]", &c.Actions[k], resolve); err != nil {
				return err
			}
		}
	}
	return nil
}

func judgeAction(path string, a *session.TerminalAction, resolve Resolve) error {
	for _, f := range [...]struct {
		name, text string
		breaks     bool
	}{{"command", a.Command, false}, {"cwd", a.Cwd, false}, {"title", a.Title, false}, {"prompt", a.Prompt, true}} {
		if err := visible(path+"."+f.name, f.text, f.breaks); err != nil {
			return err
		}
	}
	if a.Cwd == "" {
		return nil
	}
	abs, ok := resolve(a.Cwd)
	if !ok {
		return &Fault{Policy: true, Field: path + ".cwd", Reason: "is no folder inside the thread's checkout"}
	}
	a.Cwd = abs
	return nil
}

// visible refuses what a person would not see, or would see in another order.
func visible(path, text string, breaks bool) error {
	for _, r := range text {
		if r == '\n' && breaks || !hidden(r) {
			continue
		}
		return &Fault{Policy: true, Field: path, Reason: fmt.Sprintf("holds %U, which cannot be seen", r)}
	}
	return nil
}

// hidden covers control characters, line breaks, the controls of directions,
// and every character that takes no room: that joiners belong to emoji is no
// reason to let them into a command.
func hidden(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r,
		unicode.Cf, unicode.Zl, unicode.Zp, unicode.Variation_Selector, unicode.Bidi_Control,
		unicode.Other_Default_Ignorable_Code_Point, unicode.Noncharacter_Code_Point) ||
		session.Mark(string(r)) != string(r)
}
