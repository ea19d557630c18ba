package screen

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// told writes text to a fresh screen and returns its events.
func told(t *testing.T, text string) []Event {
	t.Helper()
	s, _ := newTest(t, 20, 4)
	write(s, text+"X")
	if got := s.Text(); got != "X" {
		t.Errorf("%.60q left %q on the screen", text, got)
	}
	return s.Events()
}

func TestEvents(t *testing.T) {
	for text, want := range map[string]Event{
		"\x1b]2;a title\a":              {Kind: EventTitle, Text: "a title"},
		"\x1b]0;\xe2\x9c\xb3 t\x1b\\":   {Kind: EventTitle, Text: "✳ t"}, // holds 0x9C, the old ST
		"\x1b]2;a\rb\x01\xffc\a":        {Kind: EventTitle, Text: "ab\ufffdc"},
		"\x1b]7;file://host/a%20b\a":    {Kind: EventCwd, Text: "/a b"},
		"\x1b]7;/plain/path\a":          {Kind: EventCwd, Text: "/plain/path"},
		"\a":                            {Kind: EventBell},
		"\x1b]9;build done\a":           {Kind: EventNotification, Text: "build done"},
		"\x1b]777;notify;Build;a;b\a":   {Kind: EventNotification, Title: "Build", Text: "a;b"},
		"\x1b]52;c;aGk=\a":              {Kind: EventClipboard, Selection: "c", Data: []byte("hi")},
		"\x1b]52;p;\a":                  {Kind: EventClipboard, Selection: "p", Data: []byte{}},
		"\x1b]9;4;1;42\a":               {Kind: EventProgress, Progress: Progress{ProgressNormal, 42}},
		"\x1b]9;4;3\x1b\\":              {Kind: EventProgress, Progress: Progress{ProgressBusy, 0}},
		"\x1b]9;4;2;900\a":              {Kind: EventProgress, Progress: Progress{ProgressError, 100}},
		"\x1b]133;A\a":                  {Kind: EventPrompt},
		"\x1b]133;A;aid=3\a":            {Kind: EventPrompt},
		"\x1bc":                         {Kind: EventReset},
		"\x1b]7501;state=working\x1b\\": {Kind: EventStatus, Status: ProgramStatus{State: "working", Progress: -1}},
		"\x1b]7501;state=blocked:kind=permission:app=codex:id=a/b:progress=40:title=SGk=:msg=w7w=\a": {
			Kind: EventStatus, Status: ProgramStatus{
				State: "blocked", Kind: "permission", App: "codex", ID: "a/b", Progress: 40, Title: "Hi", Message: "ü",
			},
		},
		"\x1b]7501;state=done:kind=later:future=1\a": {Kind: EventStatus, Status: ProgramStatus{State: "done", Progress: -1}},
	} {
		if got := told(t, text); len(got) != 1 || !reflect.DeepEqual(got[0], want) {
			t.Errorf("%q told\n%+v, want\n%+v", text, got, want)
		}
	}
}

func TestStringsThatTellNothing(t *testing.T) {
	for _, text := range []string{
		"\x1b]52;c;?\a", "\x1b]52;c;no base64!\a", "\x1b]7;relative\a", "\x1b]7;file://%zz\a", "\x1b]9;4;9\a",
		"\x1b]7501;state=dancing\a", "\x1b]7501;app=x\a", "\x1b]7501;state=idle:Bad=1\a", "\x1b]7501;state=idle:app=a b\a",
		"\x1b]7501;state=idle:progress=101\a", "\x1b]7501;state=idle:msg=G1szMW0=\a", "\x1b]7501;state=idle:msg=%\a",
		"\x1b]7501;state=idle:app=" + strings.Repeat("a", 4096) + "\a", "\x1b]7501;state=idle:msg=" + strings.Repeat("QUFB", 700) + "\a",
		"\x1b]66;s=2;big\a", "\x1b]99;i=1;note\a", "\x1b]133;C\a", "\x1b]1337;File=inline=1:AAAA\a", "\x1b]777;precmd\a", "\x1b]9;9;/dir\a",
		"\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\", "\x1b^privacy\x1b\\", "\x1bXsos\x1b\\", "\x1bPq#0;2;0;0;0~\x1b\\",
		"\x1b]2;cut off by CAN\x18", "\x1b]2;cut off by another\x1b[m", "\x1b]-2;x\a", "\x1b]\a", "\x1b]abc\a",
		"\x1b]2;" + strings.Repeat("x", maxString+1) + "\a",
	} {
		if got := told(t, text); len(got) != 0 {
			t.Errorf("%.60q told %+v", text, got)
		}
	}
}

func TestEventsAreBounded(t *testing.T) {
	s, _ := newTest(t, 20, 4)
	for i := range 10_000 {
		write(s, fmt.Sprintf("\x1b]2;title %d\a\a\x1b]9;4;1;%d\a", i, i%100))
	}
	if e := s.Events(); len(e) != 3 || e[0].Text != "title 9999" {
		t.Errorf("%d events, the first %+v", len(e), e[0])
	}
	for range 1000 {
		write(s, "\x1b]9;again\a")
	}
	if n := len(s.Events()); n != maxEvents {
		t.Errorf("%d events are kept", n)
	}
	big := "\x1b]52;c;" + strings.Repeat("QUFB", 200_000) + "\a"
	size := 0
	for range 50 {
		write(s, big)
	}
	for _, e := range s.Events() {
		size += len(e.Data)
	}
	if size == 0 || size > maxEventData {
		t.Errorf("%d bytes for the clipboard are kept", size)
	}
	if e := s.Events(); len(e) != 0 {
		t.Errorf("events come twice: %v", e)
	}
}

func TestTitleStack(t *testing.T) {
	s, _ := newTest(t, 20, 4)
	write(s, "\x1b]2;outer\a\x1b[22;0t\x1b]2;inner\a")
	if title := s.Frame(0).Title; title != "inner" {
		t.Errorf("title %q", title)
	}
	write(s, "\x1b[23;0t\x1b[23;0t")
	if title := s.Frame(0).Title; title != "outer" {
		t.Errorf("title %q after going back", title)
	}
	for range 100 {
		write(s, "\x1b[22t")
	}
	if n := len(s.titles); n > maxTitles {
		t.Errorf("%d titles are kept", n)
	}
}

func TestLongTitleIsCutAtACodePoint(t *testing.T) {
	s, _ := newTest(t, 20, 4)
	write(s, "\x1b]2;a"+strings.Repeat("世", 2000)+"\a")
	if title := s.Frame(0).Title; len(title) > maxTitle || !strings.HasSuffix(title, "世") {
		t.Errorf("title of %d bytes", len(title))
	}
}
