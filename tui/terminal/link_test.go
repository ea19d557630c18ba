package terminal

import (
	"strings"
	"testing"

	"aside/session"
)

func targets(links []Link) string {
	var all []string
	for _, l := range links {
		all = append(all, l.Target)
	}
	return strings.Join(all, " ")
}

func TestLinksOfTheProgramAndInTheText(t *testing.T) {
	linked := session.Span{Text: "the docs", Width: 8, Link: "https://example.com/docs"}
	p := paneOf(
		session.Row{Spans: []session.Span{span("see ", 4, session.Style{}), linked, span(", ok", 4, session.Style{})}},
		textRow("at http://a.b/c?d=(e).", false),
		textRow("(https://x.y/z) xhttps://no", false),
		textRow("Mailto:me@a.b, https://", false),
	)
	if got, want := targets(p.Links(4)), "https://example.com/docs http://a.b/c?d=(e) https://x.y/z Mailto:me@a.b"; got != want {
		t.Errorf("links are %q, want %q", got, want)
	}
	l, ok := p.LinkAt(11, 0, 4)
	if !ok || l.Text != "the docs" {
		t.Errorf("at 11, 0 is %+v", l)
	}
	if l, ok := p.LinkAt(12, 0, 4); ok {
		t.Errorf("beside the link is %+v", l)
	}
	if l, ok := p.LinkAt(22, 1, 4); ok {
		t.Errorf("on the full stop behind the link is %+v", l)
	}
}

func TestALinkMayGoOnInTheNextRow(t *testing.T) {
	p := paneOf(textRow("at https://example.c", true), textRow("om/a-long-path-to-it", true), textRow("/end and on", false))
	const whole = "https://example.com/a-long-path-to-it/end"
	for y, x := range []int{3, 0, 3} {
		if l, ok := p.LinkAt(x, y, 3); !ok || l.Target != whole {
			t.Errorf("in row %d: %+v", y, l)
		}
	}
	if _, ok := p.LinkAt(4, 2, 3); ok {
		t.Error("the link has no end")
	}
	if got := targets(p.Links(1)); got != whole {
		t.Errorf("with its beginning alone in view: %q", got)
	}
}

func TestALinkWhoseEndIsNotKnownIsNone(t *testing.T) {
	rows := make([]session.Row, maxJoined+1)
	for i := range rows {
		rows[i] = textRow("https://a/"[min(i*10, 9):], true)
	}
	if got := targets(paneOf(rows...).Links(len(rows))); got != "" {
		t.Errorf("a part of a target is one: %q", got[:min(len(got), 50)])
	}
}

func TestTheLabelIsWhereTheLinkIsSeen(t *testing.T) {
	p := paneOf(textRow("end of it", false))
	p.history = 1
	p.Scroll(1)
	p.SetHistory(0, []session.Row{textRow("https://a.example/", true)})
	p.Scroll(-1)
	links := []Link{{Target: "https://a.example/end", Label: "1", parts: []part{{0, 0, 18}, {1, 0, 3}}}}
	p.ShowLabels(links)
	if line := p.Lines(nil, 20, 1, true)[0]; !strings.Contains(line, "1\x1b[mnd of it") {
		t.Errorf("the line is %q", line)
	}
}

func TestWhatCouldEscapeIsNoLink(t *testing.T) {
	for _, target := range []string{"https://a\x1b]0;x\a", "https://a b", "https://a/" + strings.Repeat("x", 3000), "https://ä"} {
		p := paneOf(session.Row{Spans: []session.Span{{Text: "x", Width: 1, Link: target}}})
		if got := p.Links(1); len(got) > 0 {
			t.Errorf("%q is %+v", target, got)
		}
	}
}

func TestLinksAreUnderlinedUnlessTheyHaveALookOfTheirOwn(t *testing.T) {
	p := paneOf(session.Row{Spans: []session.Span{{Text: "a", Width: 1, Link: "https://a"}, {Text: "b", Width: 1}}})
	if line := p.Lines(nil, 20, 1, true)[0]; !strings.HasPrefix(line, "\x1b[0;4:4m\x1b]8;;https://a\x1b\\a\x1b]8;;\x1b\\\x1b[mb") {
		t.Errorf("the line is %q", line)
	}
	p = paneOf(session.Row{Spans: []session.Span{{Text: "a", Width: 1, Link: "https://a", Style: session.Style{Underline: session.UnderlineCurly}}}})
	if line := p.Lines(nil, 20, 1, true)[0]; !strings.HasPrefix(line, "\x1b[0;4:3m") {
		t.Errorf("the line is %q", line)
	}
}

func TestLabelsAreDrawnOverTheBeginningOfLinks(t *testing.T) {
	p := paneOf(textRow("see https://a.b and", false))
	links := p.Links(1)
	links[0].Label = "7"
	p.ShowLabels(links)
	line := p.Lines(nil, 20, 1, true)[0]
	if !strings.Contains(line, "\x1b[0;1;7m7\x1b[mttps://a.b and") {
		t.Errorf("the line is %q", line)
	}
	p.ShowLabels(nil)
	if line := p.Lines(nil, 20, 1, true)[0]; line != "see https://a.b and " {
		t.Errorf("afterwards the line is %q", line)
	}
}
