package demo

import (
	"fmt"
	"os"
	"strings"

	"github.com/clipperhouse/displaywidth"
)

// kind is how an item of the conversation looks.
type kind int

const (
	kindPrompt kind = iota
	kindSay
	kindTool
	kindOutput
	kindNotice
	kindPicture // lines of their own, never wrapped
)

// item is one thing in the conversation.
type item struct {
	kind  kind
	text  string
	lines []line
}

// line is a line of the screen, in pieces of one style each.
type line []piece

type piece struct {
	style string // parameters of SGR, "" for none
	text  string
}

// menu is the agent's own prompt: what it asks, and the answers.
type menu struct {
	title   string
	about   []string
	options []string
	at      int
	chosen  chan int // buffered for one
}

// view draws the whole screen whenever something has changed, and writes
// what differs from what is there.
type view struct {
	out        *os.File
	cols, rows int
	plain      bool     // no colours
	shown      []string // the lines that are there
	cursor     [2]int
	back       int // screenfuls scrolled back

	items   []item
	input   input
	menu    *menu
	working bool
	waiting int // prompts in the queue
	hint    string
}

// itemsKept bounds the conversation on the screen.
const itemsKept = 500

func newView(out *os.File) *view {
	v := &view{out: out, plain: os.Getenv("NO_COLOR") != ""}
	v.cols, v.rows = size(out)
	return v
}

func (v *view) open() {
	v.write("\x1b[?1049h\x1b[?2004h\x1b]2;Demo agent\x1b\\\x1b[2J")
}

func (v *view) close() {
	v.write("\x1b[?2004l\x1b[?25h\x1b[?1049l")
}

// write gives up nothing when it fails: a terminal that is gone ends the
// input as well.
func (v *view) write(s string) { _, _ = v.out.WriteString(s) }

func (v *view) resize() {
	v.cols, v.rows = size(v.out)
	v.shown, v.cursor = nil, [2]int{-1, -1}
	v.write("\x1b[2J")
}

func (v *view) scroll(by int) { v.back = max(0, v.back+by) }

// say adds to the conversation.
func (v *view) say(k kind, text string) { v.add(item{kind: k, text: text}) }

func (v *view) add(i item) {
	v.items = append(v.items, i)
	if len(v.items) > itemsKept {
		v.items = v.items[1:]
	}
	v.back, v.hint = 0, ""
}

// more goes on with the last item.
func (v *view) more(text string) { v.items[len(v.items)-1].text += text }

// draw brings the terminal up to date, and writes nothing when it is.
func (v *view) draw() {
	foot, x, y := v.foot()
	var screen []line
	for _, i := range v.items {
		screen = append(screen, i.render(v.cols)...)
	}
	height := max(0, v.rows-len(foot))
	v.back = min(v.back, max(0, (len(screen)-1)/max(1, height)))
	end := max(min(height, len(screen)), len(screen)-v.back*height)
	screen = screen[max(0, end-height):end]
	for len(screen) < height {
		screen = append(screen, nil)
	}
	y += height
	screen = append(screen, foot...)
	if over := len(screen) - v.rows; over > 0 { // a window lower than the foot
		screen, y = screen[over:], max(0, y-over)
	}
	var b strings.Builder
	painted := make([]string, len(screen))
	for i, l := range screen {
		painted[i] = v.paint(l)
		if i >= len(v.shown) || v.shown[i] != painted[i] {
			fmt.Fprintf(&b, "\x1b[%d;1H\x1b[2K%s", i+1, painted[i])
		}
	}
	v.shown = painted
	if at := [2]int{x, y}; b.Len() > 0 || at != v.cursor {
		v.cursor = at
		v.write(fmt.Sprintf("\x1b[?2026h%s\x1b[%d;%dH\x1b[?2026l", b.String(), y+1, x+1))
	}
}

// paint returns a line as it is written, cut to the width.
func (v *view) paint(l line) string {
	var b strings.Builder
	left := v.cols
	for _, p := range l {
		text := displaywidth.TruncateString(p.text, left, "")
		left -= displaywidth.String(text)
		if p.style != "" && !v.plain {
			text = "\x1b[" + p.style + "m" + text + "\x1b[0m"
		}
		b.WriteString(text)
	}
	return b.String()
}
