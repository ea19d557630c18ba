package session_test

import (
	"testing"

	"aside/session"
)

func TestSGR(t *testing.T) {
	for name, tc := range map[string]struct {
		style session.Style
		want  string
	}{
		"default":   {session.Style{}, ""},
		"palette":   {session.Style{Fg: session.Indexed(1), Bg: session.Indexed(12)}, "\x1b[31;104m"},
		"extended":  {session.Style{Fg: session.Indexed(200)}, "\x1b[38;5;200m"},
		"rgb":       {session.Style{Bg: session.RGB(1, 2, 255)}, "\x1b[48;2;1;2;255m"},
		"attrs":     {session.Style{Attrs: session.AttrBold | session.AttrReverse | session.AttrStrike}, "\x1b[1;7;9m"},
		"underline": {session.Style{Underline: session.UnderlineCurly, UnderlineColor: session.Indexed(3)}, "\x1b[4:3;58;5;3m"},
		// Without an underline its colour is not seen.
		"colour only": {session.Style{Underline: 0, UnderlineColor: session.Indexed(3), Fg: session.Indexed(0)}, "\x1b[30m"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := tc.style.SGR(); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

func TestARowEndsInTheDefaultStyle(t *testing.T) {
	r := session.Row{Spans: []session.Span{{Text: "a"}, {Text: "b", Style: session.Style{Attrs: session.AttrBold}}, {Text: "c"}}}
	if got := r.ANSI(); got != "a\x1b[1mb\x1b[mc" {
		t.Errorf("got %q", got)
	}
	if r.Text() != "abc" {
		t.Errorf("text is %q", r.Text())
	}
}
