package paint_test

import (
	"fmt"
	"image/color"
	"slices"
	"strings"
	"testing"

	"aside/session"
	"aside/session/screen"
	"aside/tui/cells"
	"aside/tui/paint"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

// outer is the terminal that is painted on.
type outer struct {
	*screen.Screen
	w, h int
}

func terminal(w, h int) outer {
	return outer{screen.New(screen.Options{Cols: w, Rows: h}), w, h}
}

func (o outer) write(b []byte) { _, _ = o.Write(b) }

// cells are what it shows, and where its cursor is if that is to be seen.
func (o outer) cells() string {
	f := o.Frame(0)
	var b strings.Builder
	for _, c := range f.Changed {
		fmt.Fprintf(&b, "%d %+v\n", c.Y, c.Row.Spans)
	}
	if !f.Cursor.Hidden {
		fmt.Fprintf(&b, "cursor %+v\n", f.Cursor)
	}
	return b.String()
}

// asked are its answers to questions about all that is set on it.
func (o outer) asked() string {
	o.Replies()
	for _, mode := range []int{1, 6, 7, 25, 66, 1000, 1002, 1003, 1004, 1006, 1049, 2004, 2026, 2031} {
		o.write(fmt.Appendf(nil, "\x1b[?%d$p", mode))
	}
	o.write([]byte("\x1b[?u\x1b[?4m\x1bP$q q\x1b\\\x1bP$qm\x1b\\\x1b]12;?\x1b\\"))
	return fmt.Sprintf("%q", o.Replies())
}

// plainly is the terminal with a frame written line by line.
func plainly(w, h int, v tea.View) outer {
	o := terminal(w, h)
	o.write([]byte("\x1b[?1049h\x1b[?7l"))
	for y, line := range strings.Split(v.Content, "\n") {
		if y < h {
			o.write(fmt.Appendf(nil, "\x1b[%d;1H\x1b[m%s", y+1, line))
		}
	}
	if v.Cursor == nil {
		o.write([]byte("\x1b[?25l"))
	} else {
		o.write(fmt.Appendf(nil, "\x1b[%d;%dH\x1b[2 q", v.Cursor.Y+1, v.Cursor.X+1))
	}
	return o
}

// pieces are what lines are made of.
var pieces = []string{
	"a", "b", "c ", "   ", "the quick", "é", "e\u0301", "世", "界", "👩‍👩‍👧", "❤\ufe0f", "🇪🇺", "1\ufe0f\u20e3", "│", "─",
	"\u0301", "\u0308", // these join what is before them
	"\x1b[m", "\x1b[0m", "\x1b[1m", "\x1b[31m", "\x1b[0;38;5;111m", "\x1b[48;2;1;2;3m", "\x1b[0;4:3;58;5;9m", "\x1b[7m",
	"\x1b]8;;http://a/x\x1b\\", "\x1b]8;;http://b/x\x1b\\", "\x1b]8;;\x1b\\",
}

// drawLine makes a line of at most w columns that ends in the terminal's own
// look.
func drawLine(t *rapid.T, parts []string, w int) string {
	var b strings.Builder
	width := 0
	if len(parts) > 0 && cells.Width("x"+parts[0]) < 2 {
		parts = parts[1:] // there is nothing for it to join
	}
	for _, p := range parts {
		n := cells.Width(b.String()+p) - width
		if width+n > w {
			break
		}
		b.WriteString(p)
		width += n
	}
	if rapid.IntRange(0, 4).Draw(t, "fill") > 0 {
		b.WriteString(strings.Repeat(" ", w-width))
	}
	return b.String() + "\x1b]8;;\x1b\\\x1b[m"
}

// edit changes some parts of a line, now and then all of them.
func edit(t *rapid.T, parts []string) []string {
	piece := rapid.SampledFrom(pieces)
	if len(parts) == 0 || rapid.IntRange(0, 9).Draw(t, "new") == 0 {
		return rapid.SliceOfN(piece, 0, 30).Draw(t, "parts")
	}
	at := rapid.IntRange(0, len(parts)-1).Draw(t, "at")
	switch parts = slices.Clone(parts); rapid.IntRange(0, 2).Draw(t, "how") {
	case 0:
		parts[at] = piece.Draw(t, "piece")
	case 1:
		parts = slices.Insert(parts, at, piece.Draw(t, "piece"))
	default:
		parts = slices.Delete(parts, at, at+1)
	}
	return parts
}

// TestTheTerminalShowsTheFrame paints any frames one after the other, and
// compares each with a terminal that it was written on whole.
func TestTheTerminalShowsTheFrame(t *testing.T) {
	for range 20 { // a hundred each
		rapid.Check(t, showsTheFrame)
	}
}

func showsTheFrame(t *rapid.T) {
	w, h := rapid.IntRange(1, 50).Draw(t, "w"), rapid.IntRange(1, 5).Draw(t, "h")
	var p paint.Painter
	p.Resize(w, h)
	if rapid.Bool().Draw(t, "sync") {
		p.Report(tea.ModeReportMsg{Mode: ansi.ModeSynchronizedOutput, Value: ansi.ModeReset})
	}
	o := terminal(w, h)
	rows := make([][]string, h)
	lines := make([]string, h)
	for range rapid.IntRange(1, 12).Draw(t, "frames") {
		switch rapid.IntRange(0, 9).Draw(t, "event") {
		case 0:
			w, h = rapid.IntRange(1, 50).Draw(t, "w"), rapid.IntRange(1, 5).Draw(t, "h")
			p.Resize(w, h)
			o.Resize(w, h)
			o.w, o.h = w, h
			rows, lines = make([][]string, h), make([]string, h)
		case 1:
			o.write(p.Leave())
		}
		for range rapid.IntRange(0, 3).Draw(t, "edits") {
			y := rapid.IntRange(0, h-1).Draw(t, "y")
			rows[y] = edit(t, rows[y])
			lines[y] = drawLine(t, rows[y], w)
		}
		v := tea.View{Content: strings.Join(lines, "\n")}
		if rapid.Bool().Draw(t, "cursor") {
			v.Cursor = &tea.Cursor{Position: tea.Position{X: rapid.IntRange(0, w-1).Draw(t, "x"), Y: rapid.IntRange(0, h-1).Draw(t, "y")}}
		}
		o.write(p.Paint(v))
		if got, want := o.cells(), plainly(w, h, v).cells(); got != want {
			t.Fatalf("the terminal shows\n%swant\n%s", got, want)
		}
		if again := p.Paint(v); len(again) > 0 {
			t.Fatalf("the same frame again writes %q", again)
		}
	}
}

// full is a frame that asks for all there is.
func full(content string) tea.View {
	return tea.View{
		Content: content, AltScreen: true, ReportFocus: true, MouseMode: tea.MouseModeAllMotion, WindowTitle: "aside · a thread",
		KeyboardEnhancements: tea.KeyboardEnhancements{ReportEventTypes: true, ReportAllKeysAsEscapeCodes: true},
		Cursor:               &tea.Cursor{Position: tea.Position{X: 2, Y: 1}, Shape: tea.CursorBar, Color: color.RGBA{1, 2, 3, 255}},
	}
}

func TestModesAreSetAndUndone(t *testing.T) {
	o := terminal(20, 4)
	o.write([]byte("$ aside\r\n"))
	fresh, shown := o.asked(), o.cells()
	var p paint.Painter
	p.Resize(20, 4)
	p.Report(tea.ModeReportMsg{Mode: ansi.ModeUnicodeCore, Value: ansi.ModeReset})
	for _, v := range []tea.View{
		full("one"),
		{Content: "two", MouseMode: tea.MouseModeCellMotion, WindowTitle: "aside"},
		full("one"), full("three"),
	} {
		out := p.Paint(v)
		o.write(out)
		m := o.Frame(0).Modes
		want := session.Modes{AltScreen: true, Paste: true, Focus: v.ReportFocus, Mouse: session.MouseDrag, Keyboard: 1}
		if v.MouseMode == tea.MouseModeAllMotion {
			want.Mouse, want.Keyboard = session.MouseMotion, 1|2|8
		}
		if m != want {
			t.Errorf("after %q the modes are %+v, want %+v", out, m, want)
		}
		if c := o.Frame(0).Cursor; v.Cursor != nil &&
			(c.Shape != session.CursorBar || c.Color != session.RGB(1, 2, 3) || c.X != 2 || c.Y != 1) || c.Hidden != (v.Cursor == nil) {
			t.Errorf("after %q the cursor is %+v", out, c)
		}
	}
	last := p.Leave()
	o.write(last)
	if got := o.asked(); got != fresh {
		t.Errorf("after %q the terminal says\n%s\nbefore it said\n%s", last, got, fresh)
	}
	if got := o.cells(); got != shown {
		t.Errorf("the terminal shows\n%sbefore\n%s", got, shown)
	}
	if !strings.Contains(string(last), "\x1b[?2027l") || !strings.Contains(string(last), "\x1b]2;\a") {
		t.Errorf("%q leaves mode 2027 or the title", last)
	}
	if again := p.Leave(); len(again) > 0 {
		t.Errorf("leaving twice writes %q", again)
	}
	p.Resize(20, 4)
	o.write(p.Paint(full("one")))
	if m := o.Frame(0).Modes; m.Keyboard != 1|2|8 || !m.AltScreen {
		t.Errorf("back again, the modes are %+v", m)
	}
}

// TestOnlyWhatChangedIsWritten bounds the bytes of changes in a wide line.
func TestOnlyWhatChangedIsWritten(t *testing.T) {
	line := func(word string) string {
		return "\x1b[2m threads \x1b[m│\x1b[38;5;111m" + strings.Repeat("left ", 20) + "\x1b[m" + word + "\x1b[7m" + strings.Repeat("right", 30) + "\x1b[m"
	}
	var p paint.Painter
	p.Resize(300, 3)
	view := func(word string) tea.View { return tea.View{Content: "above\n" + line(word) + "\nbelow"} }
	p.Paint(view("Working (1s)"))
	for _, tt := range []struct {
		what string
		v    tea.View
		most int
	}{
		{"a digit", view("Working (2s)"), 20},
		{"a word", view("Idle,   (2s)"), 30},
		{"nothing but the cursor", tea.View{Content: view("Idle,   (2s)").Content, Cursor: &tea.Cursor{Position: tea.Position{X: 3, Y: 1}}}, 20},
	} {
		if out := p.Paint(tt.v); len(out) == 0 || len(out) > tt.most {
			t.Errorf("%s is %d bytes, want at most %d: %q", tt.what, len(out), tt.most, out)
		}
	}
}

// TestAFrameIsOneUpdate has nobody see a frame half painted.
func TestAFrameIsOneUpdate(t *testing.T) {
	var p paint.Painter
	p.Resize(20, 2)
	at := &tea.Cursor{Position: tea.Position{X: 1, Y: 1}}
	p.Paint(tea.View{Content: "one", Cursor: at})
	out := string(p.Paint(tea.View{Content: "two", Cursor: at}))
	if !strings.HasPrefix(out, "\x1b[?25l") || !strings.HasSuffix(out, "\x1b[?25h") {
		t.Errorf("the cursor is seen on its way: %q", out)
	}
	p.Report(tea.ModeReportMsg{Mode: ansi.ModeSynchronizedOutput, Value: ansi.ModeReset})
	out = string(p.Paint(tea.View{Content: "six", Cursor: at}))
	if !strings.HasPrefix(out, "\x1b[?2026h") || !strings.HasSuffix(out, "\x1b[?2026l") || strings.Contains(out, "\x1b[?25") {
		t.Errorf("not one synchronized update: %q", out)
	}
}

func TestColoursAreBroughtDownToWhatTheTerminalHas(t *testing.T) {
	const line = "\x1b[0;1;38;2;255;0;0;48:2::0:0:255ma\x1b[0;4:3;58;2;0;255;0mb\x1b[0;38;5;196mc\x1b[31;102md\x1b[me"
	for _, tt := range []struct {
		profile colorprofile.Profile
		want    string
	}{
		{colorprofile.TrueColor, line},
		{colorprofile.ANSI256, "\x1b[0;1;38;5;196;48;5;21ma\x1b[0;4:3;58;5;46mb\x1b[0;38;5;196mc\x1b[31;102md\x1b[me"},
		{colorprofile.ANSI, "\x1b[0;1;91;104ma\x1b[0;4:3;58;5;10mb\x1b[0;91mc\x1b[31;102md\x1b[me"},
		{colorprofile.ASCII, "\x1b[0;1ma\x1b[0;4:3mb\x1b[0mcd\x1b[me"},
		{colorprofile.NoTTY, "abcde"},
	} {
		var p paint.Painter
		p.Resize(5, 1)
		p.SetProfile(tt.profile)
		out := string(p.Paint(tea.View{Content: line, Cursor: &tea.Cursor{Color: color.White}}))
		if !strings.Contains(out, tt.want) {
			t.Errorf("%s: %q does not hold %q", tt.profile, out, tt.want)
		}
		if own := !strings.Contains(out, "\x1b]12;"); own != (tt.profile < colorprofile.ANSI) {
			t.Errorf("%s: the cursor keeps its colour: %v", tt.profile, own)
		}
	}
}

func TestANewProfilePaintsAnew(t *testing.T) {
	var p paint.Painter
	p.Resize(5, 1)
	v := tea.View{Content: "\x1b[38;2;255;0;0mabcde\x1b[m"}
	p.SetProfile(colorprofile.ANSI256)
	p.Paint(v)
	p.SetProfile(colorprofile.TrueColor)
	if out := string(p.Paint(v)); !strings.Contains(out, "38;2;255;0;0") {
		t.Errorf("painted %q", out)
	}
}
