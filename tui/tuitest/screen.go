// Package tuitest runs the screen without a terminal: it presses keys, runs
// the commands that follow to their end, and reads the frame as a buffer of a
// fixed size. It never sleeps, and starts no timer.
package tuitest

import (
	"encoding/base64"
	"fmt"
	"image/color"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// patience is how long a command may take before a test is given up.
const patience = time.Minute

// Screen drives one model.
type Screen struct {
	t     testing.TB
	model tea.Model
	w, h  int
	// Held keeps commands running in the background: what they bring back is
	// taken by Wait. It is set for commands that wait for the person.
	Held bool
	// Order, when it is set, chooses which of n commands under way goes on, see
	// Turn. They run in the goroutine of the test then: the same choices make
	// the same test.
	Order func(n int) int
	under []*command // way, in the order they were begun
	back  chan tea.Msg
	out   int // commands that have not come back

	Ground color.Color // that the terminal answers with, nil is black

	Msgs   []tea.Msg // all that commands have brought back
	Closed bool      // the model has quit
}

// New starts a model on a screen of w by h cells.
func New(t testing.TB, model tea.Model, w, h int) *Screen {
	t.Helper()
	s := &Screen{t: t, model: model, w: w, h: h, back: make(chan tea.Msg, 64)}
	s.run(model.Init())
	s.Send(tea.WindowSizeMsg{Width: w, Height: h})
	return s
}

// Send gives the model a message and runs what follows.
func (s *Screen) Send(msgs ...tea.Msg) {
	s.t.Helper()
	for _, msg := range msgs {
		var cmd tea.Cmd
		s.model, cmd = s.model.Update(msg)
		s.model.View() // as the program does after each message
		s.run(cmd)
	}
}

// run runs a command and what follows from it.
func (s *Screen) run(cmd tea.Cmd) {
	s.t.Helper()
	if cmd == nil {
		return
	}
	s.begin(cmd)
	if !s.Held {
		s.Wait()
	}
}

// command is one whose turn is chosen.
type command struct {
	run  tea.Cmd
	ran  bool
	came tea.Msg
}

func (s *Screen) begin(cmd tea.Cmd) {
	s.out++
	if s.Order != nil {
		s.under = append(s.under, &command{run: cmd})
		return
	}
	go func() { s.back <- cmd() }()
}

// Turn lets one of the commands that are under way go on, if there is one: it
// runs, or the model gets what it has brought back.
func (s *Screen) Turn() {
	s.t.Helper()
	if len(s.under) == 0 {
		return
	}
	i := s.Order(len(s.under))
	c := s.under[i]
	if !c.ran {
		c.came, c.ran = c.run(), true
		return
	}
	s.under = slices.Delete(s.under, i, i+1)
	s.out--
	s.took(c.came)
}

// Wait takes what the commands bring back until none is left.
func (s *Screen) Wait() {
	s.t.Helper()
	s.Held = false
	s.Settle(0)
}

// Settle takes what the commands bring back until only some of them are left,
// which are known to wait.
func (s *Screen) Settle(left int) {
	s.t.Helper()
	for s.out > left {
		if s.Order != nil {
			s.Turn()
			continue
		}
		select {
		case msg := <-s.back:
			s.out--
			s.took(msg)
		case <-time.After(patience):
			s.t.Fatal("a command does not come back")
		}
	}
}

// Until takes what the commands bring back until a text is on the screen.
func (s *Screen) Until(text string) {
	s.t.Helper()
	for !s.Has(text) {
		select {
		case msg := <-s.back:
			s.out--
			s.took(msg)
		case <-time.After(patience):
			s.t.Fatalf("%q does not come onto the screen:\n%s", text, s.Text())
		}
	}
}

// Await takes what the commands bring back until a channel is closed.
func (s *Screen) Await(done <-chan struct{}) {
	s.t.Helper()
	for {
		select {
		case <-done:
			return
		case msg := <-s.back:
			s.out--
			s.took(msg)
		case <-time.After(patience):
			s.t.Fatal("what is waited for does not come")
		}
	}
}

func (s *Screen) took(msg tea.Msg) {
	s.t.Helper()
	if msg == nil {
		return
	}
	if cmds, ok := commands(msg); ok {
		for _, c := range cmds {
			if c != nil {
				s.begin(c)
			}
		}
		return
	}
	s.Msgs = append(s.Msgs, msg)
	if raw, ok := msg.(tea.RawMsg); ok && raw.Msg == ansi.RequestBackgroundColor {
		ground := s.Ground
		if ground == nil {
			ground = color.Black
		}
		msg = tea.BackgroundColorMsg{Color: ground}
	}
	if _, ok := msg.(tea.QuitMsg); ok {
		s.Closed = true
		return
	}
	var cmd tea.Cmd
	s.model, cmd = s.model.Update(msg)
	s.model.View()
	if cmd != nil {
		s.begin(cmd)
	}
}

// commands returns the commands of a batch or a sequence; the latter has no
// exported type.
func commands(msg tea.Msg) ([]tea.Cmd, bool) {
	if b, ok := msg.(tea.BatchMsg); ok {
		return b, true
	}
	v := reflect.ValueOf(msg)
	if v.Kind() != reflect.Slice || v.Type().Elem() != reflect.TypeFor[tea.Cmd]() {
		return nil, false
	}
	var out []tea.Cmd
	for i := range v.Len() {
		out = append(out, v.Index(i).Interface().(tea.Cmd))
	}
	return out, true
}

// Press presses keys as Bubble Tea spells them: "a", "ctrl+space", "enter".
func (s *Screen) Press(keys ...string) {
	s.t.Helper()
	for _, k := range keys {
		s.Send(tea.KeyPressMsg(Key(k)))
	}
}

// Type presses the keys of a text, one by one.
func (s *Screen) Type(text string) {
	s.t.Helper()
	for _, r := range text {
		s.Send(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

// Key returns the key that is spelt so.
func Key(name string) tea.Key {
	var k tea.Key
	parts := strings.Split(name, "+")
	if strings.HasSuffix(name, "++") || name == "+" {
		parts = append(strings.Split(strings.TrimSuffix(name, "+"), "+"), "+")
	}
	for _, p := range parts[:len(parts)-1] {
		switch p {
		case "ctrl":
			k.Mod |= tea.ModCtrl
		case "alt":
			k.Mod |= tea.ModAlt
		case "shift":
			k.Mod |= tea.ModShift
		}
	}
	last := parts[len(parts)-1]
	if code, ok := named()[last]; ok {
		k.Code = code
		if code == ' ' && k.Mod == 0 {
			k.Text = " "
		}
		return k
	}
	r := []rune(last)[0]
	k.Code = r
	if k.Mod == 0 {
		k.Text = last
	}
	return k
}

func named() map[string]rune {
	return map[string]rune{
		"enter": tea.KeyEnter, "tab": tea.KeyTab, "esc": tea.KeyEscape, "space": tea.KeySpace,
		"backspace": tea.KeyBackspace, "delete": tea.KeyDelete, "up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft,
		"right": tea.KeyRight, "home": tea.KeyHome, "end": tea.KeyEnd, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown,
		"f5": tea.KeyF5,
	}
}

// Click presses and releases the left button at a cell.
func (s *Screen) Click(x, y int) {
	s.t.Helper()
	s.Send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft}, tea.MouseReleaseMsg{X: x, Y: y, Button: tea.MouseLeft})
}

// ClickOn clicks on the first place where a text is shown.
func (s *Screen) ClickOn(text string) {
	s.t.Helper()
	x, y, ok := s.Find(text)
	if !ok {
		s.t.Fatalf("%q is not on the screen:\n%s", text, s.Text())
	}
	s.Click(x, y)
}

// Copied are the texts that went to the clipboard, the last at the end.
func (s *Screen) Copied() []string {
	var out []string
	for _, msg := range s.Msgs {
		raw, ok := msg.(tea.RawMsg)
		if !ok {
			continue
		}
		coded, ok := strings.CutPrefix(fmt.Sprint(raw.Msg), "\x1b]52;c;")
		text, err := base64.StdEncoding.DecodeString(strings.TrimSuffix(coded, "\a"))
		if ok && err == nil {
			out = append(out, string(text))
		}
	}
	return out
}

// View is the model's frame.
func (s *Screen) View() tea.View { return s.model.View() }

// Buffer is the frame in cells, drawn as on a terminal that adds up the
// widths of code points.
func (s *Screen) Buffer() uv.ScreenBuffer {
	buf := uv.NewScreenBuffer(s.w, s.h)
	buf.Method = ansi.WcWidth
	uv.NewStyledString(s.View().Content).Draw(buf, buf.Bounds())
	return buf
}

// Lines are the frame's rows as plain text, without the blanks at their ends.
func (s *Screen) Lines() []string {
	buf := s.Buffer()
	out := make([]string, s.h)
	for y := range s.h {
		var b strings.Builder
		for x := range s.w {
			if c := buf.CellAt(x, y); c != nil && c.Width > 0 {
				b.WriteString(c.Content)
			}
		}
		out[y] = strings.TrimRight(b.String(), " ")
	}
	return out
}

// Text is the frame as plain text.
func (s *Screen) Text() string { return strings.Join(s.Lines(), "\n") + "\n" }

// Find returns the cell at which a text begins.
func (s *Screen) Find(text string) (x, y int, ok bool) {
	for y, l := range s.Lines() {
		if i := strings.Index(l, text); i >= 0 {
			return ansi.StringWidthWc(l[:i]), y, true
		}
	}
	return 0, 0, false
}

// Has says that a text is on the screen.
func (s *Screen) Has(text string) bool {
	_, _, ok := s.Find(text)
	return ok
}

// Want fails the test when a text is not on the screen.
func (s *Screen) Want(texts ...string) {
	s.t.Helper()
	for _, text := range texts {
		if !s.Has(text) {
			s.t.Errorf("%q is not on the screen:\n%s", text, s.Text())
		}
	}
}

// WantNot fails the test when a text is on the screen.
func (s *Screen) WantNot(texts ...string) {
	s.t.Helper()
	for _, text := range texts {
		if s.Has(text) {
			s.t.Errorf("%q is on the screen:\n%s", text, s.Text())
		}
	}
}

// Model is the model as it is now.
func (s *Screen) Model() tea.Model { return s.model }
