package screen

import (
	"bytes"
	"encoding/base64"
	"net/url"
	"strconv"
	"strings"
)

// osc runs an operating system command. An answer ends as the question did,
// in BEL or in ST. Commands that are not known are silently skipped, among
// them 66, 99, 133 but for its A, 1337 and the like.
func (s *Screen) osc(str []byte, viaBEL bool) {
	number, rest, _ := bytes.Cut(str, []byte{';'})
	n, err := strconv.Atoi(string(number))
	if err != nil || number[0] == '-' || number[0] == '+' {
		return
	}
	end := "\x1b\\"
	if viaBEL {
		end = "\a"
	}
	switch n {
	case 0, 2:
		s.setTitle(rest)
	case 7:
		s.cwd(rest)
	case 8:
		s.hyperlink(rest)
	case 9:
		s.oscNine(rest)
	case 52:
		s.clipboard(rest)
	case 133:
		if bytes.HasPrefix(rest, []byte{'A'}) {
			s.event(Event{Kind: EventPrompt})
		}
	case 777:
		s.notify(rest)
	case 7501:
		s.programStatus(rest, end)
	default:
		s.oscColor(n, rest, end)
	}
}

// cwd takes the file URL of OSC 7, or a bare path.
func (s *Screen) cwd(rest []byte) {
	path := string(rest)
	if strings.HasPrefix(path, "file:") {
		u, err := url.Parse(path)
		if err != nil {
			return
		}
		path = u.Path
	}
	path = clean([]byte(path), maxPath+1)
	if strings.HasPrefix(path, "/") && len(path) <= maxPath {
		s.event(Event{Kind: EventCwd, Text: path})
	}
}

// hyperlink is OSC 8 ; parameters ; target. Cells with the same target are one
// link; the id parameter makes no difference.
func (s *Screen) hyperlink(rest []byte) {
	_, target, ok := bytes.Cut(rest, []byte{';'})
	if !ok {
		return
	}
	p := s.pen
	p.link = 0
	if text := clean(target, maxLink+1); text != "" && len(text) <= maxLink {
		p.link = s.linkID(text)
	}
	if p != s.pen {
		s.setPen(p)
	}
}

// oscNine is a notification, except for 9 ; 4 ; state ; percent.
func (s *Screen) oscNine(rest []byte) {
	sub, args, _ := bytes.Cut(rest, []byte{';'})
	if string(sub) == "4" {
		s.progress(args)
		return
	}
	if _, err := strconv.Atoi(string(sub)); err == nil && len(sub) < len(rest) {
		return // other commands of ConEmu
	}
	if text := clean(rest, maxText); text != "" {
		s.event(Event{Kind: EventNotification, Text: text})
	}
}

func (s *Screen) progress(args []byte) {
	first, second, _ := bytes.Cut(args, []byte{';'})
	state, err := strconv.Atoi(string(first))
	if err != nil || state < 0 || state > int(ProgressPaused) {
		return
	}
	percent, _ := strconv.Atoi(string(second)) // missing or broken: 0
	s.event(Event{Kind: EventProgress, Progress: Progress{
		State: ProgressState(state), Percent: min(max(percent, 0), 100),
	}})
}

// notify is OSC 777 ; notify ; title ; body.
func (s *Screen) notify(rest []byte) {
	parts := bytes.SplitN(rest, []byte{';'}, 3)
	if len(parts) < 2 || string(parts[0]) != "notify" {
		return
	}
	e := Event{Kind: EventNotification, Title: clean(parts[1], maxText)}
	if len(parts) == 3 {
		e.Text = clean(parts[2], maxText)
	}
	if e.Title != "" || e.Text != "" {
		s.event(e)
	}
}

// clipboard is OSC 52. Reading the clipboard is refused without an answer.
func (s *Screen) clipboard(rest []byte) {
	selection, text, ok := bytes.Cut(rest, []byte{';'})
	if !ok || string(text) == "?" || len(selection) > 16 {
		return
	}
	data, err := base64.StdEncoding.DecodeString(string(text))
	if err != nil {
		return
	}
	s.event(Event{Kind: EventClipboard, Selection: clean(selection, 16), Data: data})
}

// programStatus is OSC 7501. The question whether it is understood is
// answered with the question itself.
func (s *Screen) programStatus(rest []byte, end string) {
	if string(rest) == "?" {
		s.reply("\x1b]7501;?" + end)
		return
	}
	if st, ok := parseStatus(rest); ok {
		s.event(Event{Kind: EventStatus, Status: st})
	}
}
