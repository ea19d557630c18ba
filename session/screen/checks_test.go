package screen

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"aside/session"
)

// check is one line of testdata/*-checks.jsonl: bytes and events for a fresh
// terminal, and what is then on it, in its history, or sent to the program.
type check struct {
	Group, Name string
	Cols, Rows  int
	Chunks      []json.RawMessage
	Input       []checkEvent
	Want        checkWant
}

type checkEvent struct {
	Key, Mouse, Focus, Action, Text, Shifted, Base string
	Paste                                          *string
	Mods                                           []string
	X, Y                                           int
}

type checkWant struct {
	Rows       map[string]string
	Cursor     *[2]int
	Visible    *bool
	Reply      *string
	Cells      []checkCell
	Info       map[string]string
	InfoMatch  map[string]string `json:"info_match"`
	Scrollback *struct {
		Len    *int
		MinLen int `json:"min_len"`
		Rows   []string
	}
	Sent      *string
	SentMatch string `json:"sent_match"`
}

type checkCell struct {
	X, Y         int
	Fg, Bg, Link *string
	HasAttrs     string `json:"has_attrs"`
	NotAttrs     string `json:"not_attrs"`
}

// checks returns all of them.
func checks(t testing.TB) (all []check) {
	t.Helper()
	for _, file := range []string{"testdata/terminal-checks.jsonl", "testdata/more-checks.jsonl"} {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = f.Close() }()
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			var c check
			if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
				t.Fatalf("%s: %v", lines.Text(), err)
			}
			all = append(all, c)
		}
		if err := lines.Err(); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

func TestTerminalChecks(t *testing.T) {
	for _, c := range checks(t) {
		t.Run(c.Group+"/"+c.Name, func(t *testing.T) { c.run(t) })
	}
}

func (c *check) run(t *testing.T) {
	s := New(Options{Cols: c.Cols, Rows: c.Rows, HistoryLines: 1000, Name: "aside 1.0"})
	info := map[string]string{}
	for _, raw := range c.Chunks {
		c.chunk(t, s, raw)
		for _, e := range s.Events() {
			switch e.Kind {
			case EventTitle:
				info["title"] = e.Text
			case EventCwd:
				info["cwd"] = e.Text
			case EventClipboard:
				info["clip"] = string(e.Data)
			}
		}
	}
	reply := string(s.Replies())
	var sent []byte
	for _, e := range c.Input {
		sent = append(sent, s.Encode(e.input(t))...)
	}
	w := &c.Want
	w.picture(t, s)
	w.cells(t, s)
	w.history(t, s)
	if w.Reply != nil && !wholeMatch(*w.Reply, reply) {
		t.Errorf("reply %q, want %q", reply, *w.Reply)
	}
	if w.Sent != nil && string(sent) != *w.Sent {
		t.Errorf("sent %q, want %q", sent, *w.Sent)
	}
	if w.SentMatch != "" && !wholeMatch(w.SentMatch, string(sent)) {
		t.Errorf("sent %q, want match of %q", sent, w.SentMatch)
	}
	for k, v := range w.Info {
		if info[k] != v {
			t.Errorf("%s is %q, want %q", k, info[k], v)
		}
	}
	for k, v := range w.InfoMatch {
		if !wholeMatch(v, info[k]) {
			t.Errorf("%s is %q, want match of %q", k, info[k], v)
		}
	}
}

func (c *check) chunk(t *testing.T, s *Screen, raw json.RawMessage) {
	t.Helper()
	var text string
	if json.Unmarshal(raw, &text) == nil {
		write(s, text)
		return
	}
	var o struct {
		B64               string
		Pre, Repeat, Post string
		Times             int
		Resize            []int
	}
	if err := json.Unmarshal(raw, &o); err != nil {
		t.Fatal(err)
	}
	if o.Resize != nil {
		s.Resize(o.Resize[0], o.Resize[1])
		return
	}
	if o.B64 != "" {
		b, err := base64.StdEncoding.DecodeString(o.B64)
		if err != nil {
			t.Fatal(err)
		}
		write(s, string(b))
		return
	}
	write(s, o.Pre+strings.Repeat(o.Repeat, o.Times)+o.Post)
}

func (w *checkWant) picture(t *testing.T, s *Screen) {
	t.Helper()
	f := s.Frame(0)
	rows := grid(f)
	for y, want := range w.Rows {
		n, err := strconv.Atoi(y)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimRight(rows[n].Text(), " "); got != want {
			t.Errorf("row %s is %q, want %q", y, got, want)
		}
	}
	if w.Cursor != nil && *w.Cursor != [2]int{f.Cursor.X, f.Cursor.Y} {
		t.Errorf("cursor at %d,%d, want %v", f.Cursor.X, f.Cursor.Y, *w.Cursor)
	}
	if w.Visible != nil && *w.Visible == f.Cursor.Hidden {
		t.Errorf("cursor hidden %v", f.Cursor.Hidden)
	}
}

func (w *checkWant) cells(t *testing.T, s *Screen) {
	t.Helper()
	rows := grid(s.Frame(0))
	for _, c := range w.Cells {
		span := spanAt(rows[c.Y], c.X)
		attrs := attrLetters(span.Style)
		if c.Fg != nil && colorName(span.Style.Fg) != *c.Fg {
			t.Errorf("%d,%d: fg %q, want %q", c.X, c.Y, colorName(span.Style.Fg), *c.Fg)
		}
		if c.Bg != nil && colorName(span.Style.Bg) != *c.Bg {
			t.Errorf("%d,%d: bg %q, want %q", c.X, c.Y, colorName(span.Style.Bg), *c.Bg)
		}
		if c.Link != nil && span.Link != *c.Link {
			t.Errorf("%d,%d: link %q, want %q", c.X, c.Y, span.Link, *c.Link)
		}
		for _, a := range c.HasAttrs {
			if !strings.ContainsRune(attrs, a) {
				t.Errorf("%d,%d: attrs %q, want %q", c.X, c.Y, attrs, c.HasAttrs)
			}
		}
		if strings.ContainsAny(attrs, c.NotAttrs) {
			t.Errorf("%d,%d: attrs %q, want none of %q", c.X, c.Y, attrs, c.NotAttrs)
		}
	}
}

func (w *checkWant) history(t *testing.T, s *Screen) {
	t.Helper()
	if w.Scrollback == nil {
		return
	}
	rows := past(s)
	n := len(rows)
	if w.Scrollback.Len != nil && n != *w.Scrollback.Len {
		t.Errorf("history of %d rows, want %d", n, *w.Scrollback.Len)
	}
	if n < w.Scrollback.MinLen {
		t.Errorf("history of %d rows, want at least %d", n, w.Scrollback.MinLen)
	}
	for i, want := range w.Scrollback.Rows {
		if i >= n {
			t.Fatalf("history of %d rows, want %q in the next", n, want)
		}
		if got := strings.TrimRight(rows[i].Text(), " "); got != want {
			t.Errorf("history row %d is %q, want %q", i, got, want)
		}
	}
}

func (e *checkEvent) input(t *testing.T) session.Input {
	t.Helper()
	switch {
	case e.Paste != nil:
		return session.Input{Paste: e.Paste}
	case e.Focus != "":
		in := e.Focus == "in"
		return session.Input{Focus: &in}
	case e.Mouse != "":
		buttons := map[string]session.MouseButton{
			"none": session.ButtonNone, "left": session.ButtonLeft, "middle": session.ButtonMiddle,
			"right": session.ButtonRight, "wheelup": session.ButtonWheelUp, "wheeldown": session.ButtonWheelDown,
		}
		return session.Input{Mouse: &session.MouseEvent{
			Button: buttons[e.Mouse], Action: e.action(), X: e.X, Y: e.Y, Mods: e.mods(),
		}}
	}
	k := session.KeyEvent{
		Code: keyNamed(t, e.Key), Mods: e.mods(), Action: e.action(), Text: e.Text,
	}
	if e.Shifted != "" {
		k.Shifted = keyNamed(t, e.Shifted)
	}
	if e.Base != "" {
		k.Base = keyNamed(t, e.Base)
	}
	return session.Input{Key: &k}
}

func (e *checkEvent) action() session.Action {
	if e.Action == "press" {
		return session.ActionPress
	}
	return session.Action(e.Action)
}

func (e *checkEvent) mods() (m session.Mods) {
	for _, name := range e.Mods {
		m |= map[string]session.Mods{
			"shift": session.ModShift, "alt": session.ModAlt, "ctrl": session.ModCtrl,
			"super": session.ModSuper, "capslock": session.ModCapsLock, "numlock": session.ModNumLock,
		}[name]
	}
	return m
}

func keyNamed(t *testing.T, name string) session.KeyCode {
	t.Helper()
	if r := []rune(name); len(r) == 1 {
		return session.KeyCode(r[0])
	}
	var n int
	if _, err := fmt.Sscanf(name, "f%d", &n); err == nil {
		return session.KeyF(n)
	}
	if _, err := fmt.Sscanf(name, "kp%d", &n); err == nil {
		return session.KeyKp0 + session.KeyCode(n)
	}
	code, ok := map[string]session.KeyCode{
		"enter": session.KeyEnter, "tab": session.KeyTab, "backspace": session.KeyBackspace,
		"escape": session.KeyEscape, "up": session.KeyUp, "down": session.KeyDown,
		"left": session.KeyLeft, "right": session.KeyRight, "home": session.KeyHome,
		"end": session.KeyEnd, "pageup": session.KeyPageUp, "pagedown": session.KeyPageDown,
		"insert": session.KeyInsert, "delete": session.KeyDelete,
		"kpenter": session.KeyKpEnter, "kpplus": session.KeyKpPlus, "kpminus": session.KeyKpMinus,
		"kpmultiply": session.KeyKpMultiply, "kpdivide": session.KeyKpDivide, "kpdecimal": session.KeyKpDecimal,
		"leftshift": session.KeyLeftShift, "leftctrl": session.KeyLeftCtrl, "leftalt": session.KeyLeftAlt,
	}[name]
	if !ok {
		t.Fatalf("no key %q", name)
	}
	return code
}

func wholeMatch(pattern, text string) bool {
	return regexp.MustCompile(`(?s)\A(?:` + pattern + `)\z`).MatchString(text)
}

func colorName(c session.Color) string {
	if n, ok := c.Index(); ok {
		return fmt.Sprintf("i:%d", n)
	}
	if r, g, b, ok := c.RGB(); ok {
		return fmt.Sprintf("#%02x%02x%02x", r, g, b)
	}
	return ""
}

func attrLetters(st session.Style) string {
	var b bytes.Buffer
	for letter, a := range map[rune]session.Attrs{
		'b': session.AttrBold, 'f': session.AttrFaint, 'i': session.AttrItalic,
		'r': session.AttrReverse, 's': session.AttrStrike,
	} {
		if st.Attrs&a != 0 {
			b.WriteRune(letter)
		}
	}
	if st.Underline != session.UnderlineNone {
		b.WriteRune('u')
	}
	return b.String()
}
