package terminal

import (
	"fmt"
	"strings"
	"testing"

	"aside/session"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

func span(text string, w int, st session.Style) session.Span {
	return session.Span{Text: text, Width: w, Style: st}
}

func row(spans ...session.Span) session.Row { return session.Row{Spans: spans} }

func full(cols, rows int, changed ...session.RowChange) session.Frame {
	return session.Frame{Pane: session.PaneAgent, Cols: cols, Rows: rows, Full: true, Changed: changed}
}

// drawn is the line as the renderer puts it into cells.
func drawn(t *testing.T, line string, w int, m ansi.Method) string {
	t.Helper()
	buf := uv.NewScreenBuffer(w+10, 1)
	buf.Method = m
	uv.NewStyledString(line).Draw(buf, buf.Bounds())
	return strings.TrimRight(buf.Render(), " ")
}

func TestRowsKeepTheirColumnsUnderBothMeasures(t *testing.T) {
	for _, text := range []struct {
		s string
		w int
	}{
		{"family 👨‍👩‍👧‍👦", 9},
		{"heart ❤️", 8},
		{"日本", 4},
		{"स्ते", 2},
		{"e\u0301", 1},
		{"key 1️⃣", 6},
		{"too short", 12},
		{"too long", 4},
		{"wide 日", 6},
		{"ctl\x1b[31m\a", 3},
		{"c1\u009b1m", 4},
	} {
		p := New()
		p.Apply(full(30, 1, session.RowChange{Row: row(span(text.s, text.w, session.Style{}), span("|", 1, session.Style{}))}))
		for _, m := range []ansi.Method{ansi.WcWidth, ansi.GraphemeWidth} {
			line := p.Lines(nil, 30, 1, m == ansi.GraphemeWidth)[0]
			if got := m.StringWidth(line); got != 30 {
				t.Errorf("%q is %d columns by method %d", text.s, got, m)
			}
			bar := strings.Index(line, "|")
			if bar < 0 || m.StringWidth(line[:bar]) != text.w {
				t.Errorf("%q by method %d: the next span begins at %d, not %d: %q",
					text.s, m, m.StringWidth(line[:bar]), text.w, line)
			}
			if strings.ContainsAny(line, "\x1b\a") {
				t.Errorf("%q leaves a control: %q", text.s, line)
			}
		}
	}
}

func TestClustersAreWholeWhereTheTerminalMeasuresThem(t *testing.T) {
	p := New()
	p.Apply(full(10, 1, session.RowChange{Row: row(span("👨‍👩‍👧‍👦", 2, session.Style{}))}))
	if line := p.Lines(nil, 10, 1, true)[0]; !strings.HasPrefix(line, "👨‍👩‍👧‍👦 ") {
		t.Errorf("line = %q", line)
	}
	if line := p.Lines(nil, 10, 1, false)[0]; !strings.HasPrefix(line, "👨 ") {
		t.Errorf("line = %q", line)
	}
}

func TestStylesReachTheCells(t *testing.T) {
	st := session.Style{
		Fg: session.RGB(1, 2, 3), Bg: session.Indexed(200), UnderlineColor: session.Indexed(9),
		Attrs: session.AttrBold | session.AttrItalic | session.AttrReverse, Underline: session.UnderlineCurly,
	}
	p := New()
	p.Apply(full(20, 1, session.RowChange{Row: row(span("ab", 2, st), span("cd", 2, session.Style{Fg: session.Indexed(12)}), span("ef", 2, session.Style{}))}))
	buf := uv.NewScreenBuffer(20, 1)
	uv.NewStyledString(p.Lines(nil, 20, 1, false)[0]).Draw(buf, buf.Bounds())
	c := buf.CellAt(0, 0)
	if c.Style.Attrs != uv.AttrBold|uv.AttrItalic|uv.AttrReverse || c.Style.Underline != ansi.UnderlineCurly {
		t.Errorf("attributes = %b, underline %d", c.Style.Attrs, c.Style.Underline)
	}
	if r, g, b, _ := c.Style.Fg.RGBA(); r>>8 != 1 || g>>8 != 2 || b>>8 != 3 {
		t.Errorf("foreground = %v", c.Style.Fg)
	}
	if c.Style.Bg != ansi.IndexedColor(200) {
		t.Errorf("background = %#v", c.Style.Bg)
	}
	if d := buf.CellAt(2, 0); d.Style.Fg != ansi.BrightBlue || d.Style.Attrs != 0 || d.Style.Bg != nil {
		t.Errorf("second span = %+v", d.Style)
	}
	if e := buf.CellAt(4, 0); !e.Style.IsZero() {
		t.Errorf("third span = %+v", e.Style)
	}
}

func TestLinksAreKeptUnlessTheyCouldEscape(t *testing.T) {
	p := New()
	good := session.Span{Text: "a", Width: 1, Link: "https://example.com/x"}
	bad := session.Span{Text: "b", Width: 1, Link: "https://x\x1b\\\x1b[2J"}
	p.Apply(full(4, 1, session.RowChange{Row: row(good, bad)}))
	line := p.Lines(nil, 4, 1, false)[0]
	if !strings.Contains(line, "]8;;https://example.com/x\x1b\\a") || strings.Contains(line, "[2J") {
		t.Errorf("line = %q", line)
	}
}

func TestFramesChangeOnlyTheirRows(t *testing.T) {
	p := New()
	p.Apply(full(10, 3,
		session.RowChange{Y: 0, Row: row(span("one", 3, session.Style{}))},
		session.RowChange{Y: 2, Row: row(span("three", 5, session.Style{}))}))
	p.Lines(nil, 10, 3, false)
	p.Apply(session.Frame{Cols: 10, Rows: 3, Changed: []session.RowChange{
		{Y: 1, Row: row(span("two", 3, session.Style{}))}, {Y: 99}, {Y: -1},
	}})
	if p.rows[0].painted == "" || p.rows[1].painted != "" || p.rows[2].painted == "" {
		t.Error("a row that had not changed is painted again, or a changed one is not")
	}
	got := strings.Join(p.Lines(nil, 10, 3, false), "\n")
	if want := "one       \ntwo       \nthree     "; got != want {
		t.Errorf("lines = %q", got)
	}
	p.Apply(full(10, 2, session.RowChange{Y: 1, Row: row(span("new", 3, session.Style{}))}))
	if got := strings.Join(p.Lines(nil, 10, 3, false), "|"); got != "          |new       |          " {
		t.Errorf("after a full frame: %q", got)
	}
}

func TestScrollingBackStaysInPlace(t *testing.T) {
	p := New()
	f := full(10, 2, session.RowChange{Y: 0, Row: row(span("a", 1, session.Style{}))})
	f.History = 10
	p.Apply(f)
	p.Lines(nil, 10, 2, false)
	p.Scroll(3)
	from, n := p.Missing(2)
	if from != 5 || n != 4 {
		t.Fatalf("Missing = %d, %d", from, n)
	}
	rows := make([]session.Row, n)
	for i := range rows {
		s := fmt.Sprintf("h%d", from+i)
		rows[i] = row(span(s, len(s), session.Style{}))
	}
	p.SetHistory(from, rows)
	if got := drawn(t, p.Lines(nil, 10, 2, false)[0], 10, ansi.WcWidth); got != "h7" {
		t.Errorf("first line = %q", got)
	}
	f.History = 12
	p.Apply(f)
	if got := drawn(t, p.Lines(nil, 10, 2, false)[0], 10, ansi.WcWidth); got != "h7" {
		t.Errorf("after two more rows the first line = %q", got)
	}
	if _, n := p.Missing(2); n != 0 {
		t.Errorf("%d rows are missing again", n)
	}
	p.Scroll(-99)
	if p.Back() != 0 {
		t.Errorf("Back = %d", p.Back())
	}
	if _, ok := p.Cursor(); !ok {
		t.Error("the cursor does not come back")
	}
}

func TestScrollingBackInAFullScrollbackStaysInPlace(t *testing.T) {
	p := New()
	take := func(history int) {
		f := full(10, 2)
		f.History, f.Oldest = history, history-100
		p.Apply(f)
	}
	first := func() string {
		if from, n := p.Missing(2); n > 0 {
			rows := make([]session.Row, n)
			for i := range rows {
				s := fmt.Sprintf("h%d", from+i)
				rows[i] = row(span(s, len(s), session.Style{}))
			}
			p.SetHistory(from, rows)
		}
		return drawn(t, p.Lines(nil, 10, 2, false)[0], 10, ansi.WcWidth)
	}
	take(500)
	p.Lines(nil, 10, 2, false)
	p.Scroll(60)
	if got := first(); got != "h440" {
		t.Fatalf("first line = %q", got)
	}
	take(530)
	if got := first(); got != "h440" {
		t.Errorf("after 30 more rows the first line = %q", got)
	}
	take(600)
	if got := first(); got != "h500" {
		t.Errorf("when that row has gone the first line = %q, want the oldest there is", got)
	}
	if p.Scroll(1000); first() != "h500" {
		t.Errorf("scrolled beyond the oldest row to %q", first())
	}
}

func TestHostileFramesAreLimited(t *testing.T) {
	p := New()
	p.Apply(session.Frame{Cols: 1 << 30, Rows: 1 << 30, Full: true, History: -5, Changed: []session.RowChange{
		{Y: 0, Row: row(session.Span{Text: "x", Width: 1 << 30}, session.Span{Text: "y", Width: -4})},
	}})
	lines := p.Lines(nil, 20, 3, false)
	if len(lines) != 3 || len(lines[0]) != 20 {
		t.Errorf("lines = %q", lines)
	}
	p.Apply(session.Frame{Cols: -1, Rows: -1, Cursor: session.Cursor{X: -1, Y: 4}})
	p.Lines(nil, 20, 3, false)
	if _, ok := p.Cursor(); ok {
		t.Error("a cursor outside of the pane is shown")
	}
}

func BenchmarkPaintFrame(b *testing.B) {
	p := New()
	changed := make([]session.RowChange, 80)
	for y := range changed {
		var spans []session.Span
		for x := range 30 {
			spans = append(spans, span("abcdefghij", 10, session.Style{Fg: session.Indexed(uint8(x + y))}))
		}
		changed[y] = session.RowChange{Y: y, Row: row(spans...)}
	}
	f := full(300, 80, changed...)
	var dst []string
	b.ReportAllocs()
	for b.Loop() {
		p.Apply(f)
		dst = p.Lines(dst[:0], 300, 80, false)
	}
}

func BenchmarkPaintOneRow(b *testing.B) {
	p := New()
	changed := make([]session.RowChange, 80)
	for y := range changed {
		changed[y] = session.RowChange{Y: y, Row: row(span(strings.Repeat("x", 300), 300, session.Style{}))}
	}
	p.Apply(full(300, 80, changed...))
	f := session.Frame{Cols: 300, Rows: 80, Changed: changed[40:41]}
	var dst []string
	b.ReportAllocs()
	for b.Loop() {
		p.Apply(f)
		dst = p.Lines(dst[:0], 300, 80, false)
	}
}
