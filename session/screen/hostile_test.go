package screen

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
)

// hostile are outputs that no program writes but a broken or a malicious one:
// each fills buf with the n-th piece.
var hostile = map[string]func(n int, buf []byte) []byte{
	"noise": func(n int, buf []byte) []byte {
		random := rand.NewChaCha8([32]byte{byte(n), byte(n >> 8)})
		buf = buf[:cap(buf)]
		_, _ = random.Read(buf) // it never fails
		return buf
	},
	"endless OSC":   endless("\x1b]2;", "title "),
	"endless DCS":   endless("\x1bP+q", "5463"),
	"endless APC":   endless("\x1b_G", "QUJD"),
	"endless CSI":   endless("\x1b[", "1;2:3"),
	"endless sync":  endless("\x1b[?2026h", "held back "),
	"one cluster":   endless("a", "\u0301\u200d"),
	"no line end":   endless("", "wide 世界 and on "),
	"line ends":     endless("", "\r\n"),
	"colours":       piece("\x1b[38;2;%d;%[1]d;7;48;5;%[1]dm%[1]d"),
	"clusters":      piece("e\u0301%c\u0302\u200d%[1]c"),
	"links":         piece("\x1b]8;;https://example.com/%d/" + strings.Repeat("long/", 100) + "\x1b\\x"),
	"titles":        piece("\x1b]2;title %d\x1b\\\x1b[22t"),
	"questions":     piece("\x1b[c\x1b[6n\x1b]4;%d;?\x1b\\\x1b[?u"),
	"notifications": piece("\a\x1b]9;note %d\a\x1b]7501;state=working:id=t%[1]d\a"),
	"clipboard":     piece("\x1b]52;c;" + strings.Repeat("QUJD", 200) + "\a"),
	"stacks":        piece("\x1b7\x1b[>%du\x1b[?1049h\x1b[>1u"),
	"counts":        counts(),
}

// endless returns output that begins once and never ends.
func endless(begin, more string) func(int, []byte) []byte {
	return func(n int, buf []byte) []byte {
		if n == 0 {
			buf = append(buf, begin...)
		}
		for len(buf)+len(more) <= cap(buf) {
			buf = append(buf, more...)
		}
		return buf
	}
}

// piece returns output in which a number is never the same.
func piece(format string) func(int, []byte) []byte {
	if !strings.Contains(format, "%") {
		return endless("", format)
	}
	return func(n int, buf []byte) []byte {
		for i := n << 16; len(buf)+2*len(format) <= cap(buf); i++ {
			buf = fmt.Appendf(buf, format, i)
		}
		return buf
	}
}

// counts returns every control sequence with the largest counts there are.
func counts() func(int, []byte) []byte {
	var all []byte
	for _, prefix := range []string{"", "?", ">", "="} {
		for _, inter := range []string{"", "$", "'", " ", "*"} {
			for final := byte('@'); final <= '~'; final++ {
				all = fmt.Appendf(all, "x\x1b[%s4294967296;99999999999999999999;65535;1%s%c", prefix, inter, final)
			}
		}
	}
	return func(n int, buf []byte) []byte {
		return append(buf, all[min(len(all), n*cap(buf)%len(all)):][:min(cap(buf), len(all)-n*cap(buf)%len(all))]...)
	}
}

// hostileBound is the memory that a screen of 500x200 with 8 MiB of history
// may take, in bytes: two grids and the one held back (2.4 MB), the history,
// the interned values and the queues at their limits.
const hostileBound = 40 << 20

// Nobody fetches replies and events meanwhile, and the size changes all the
// time: whatever is written, the grid stays sound and the memory bounded.
func TestHostileOutputTakesBoundedMemory(t *testing.T) {
	for name, output := range hostile {
		t.Run(name, func(t *testing.T) {
			sizes := [][2]int{{80, 24}, {1, 1}, {500, 200}, {2, 300}, {499, 1}}
			before := heap()
			s := New(Options{Cols: 80, Rows: 24, HistoryLines: 10_000, HistoryBytes: 8 << 20})
			buf := make([]byte, 0, 16<<10)
			for n := range 64 {
				_, _ = s.Write(output(n, buf))
				if n%8 == 7 {
					verify(t, s)
				}
				size := sizes[n%len(sizes)]
				s.Resize(size[0], size[1])
			}
			verify(t, s)
			if after := heap(); after > before+hostileBound {
				t.Errorf("%d MiB are in use", (after-before)>>20)
			}
			if n := len(s.Replies()); n > maxReplies {
				t.Errorf("%d bytes of replies wait", n)
			}
			if n := len(s.Events()); n > maxEvents {
				t.Errorf("%d events wait", n)
			}
			// It works as ever when the program comes to its senses.
			s.Resize(80, 24)
			write(s, "\x18\x1b\\\x1bchere again")
			if got := s.Text(); got != "here again" {
				t.Errorf("the screen shows %q", got)
			}
		})
	}
}

// A long run at one size fills the history and the interned tables.
func TestHostileOutputForLongTakesBoundedMemory(t *testing.T) {
	for _, name := range []string{"noise", "colours", "clusters", "links", "no line end"} {
		t.Run(name, func(t *testing.T) {
			before := heap()
			s := New(Options{Cols: 120, Rows: 40, HistoryLines: 10_000, HistoryBytes: 8 << 20})
			buf := make([]byte, 0, 16<<10)
			for n := range 512 {
				_, _ = s.Write(hostile[name](n, buf))
			}
			verify(t, s)
			if after := heap(); after > before+hostileBound {
				t.Errorf("%d MiB are in use", (after-before)>>20)
			}
			runtime.KeepAlive(s)
		})
	}
}

// Links are the longest texts that stay with a cell.
func TestLongLinksTakeBoundedMemory(t *testing.T) {
	before := heap()
	s := New(Options{Cols: 120, Rows: 40, HistoryLines: 10_000, HistoryBytes: 8 << 20})
	path := strings.Repeat("long/", 780)
	for i := range 8_000 { // 31 MB
		write(s, fmt.Sprintf("\x1b]8;;https://example.com/%d/%s\x1b\\x", i, path))
	}
	if after := heap(); after > before+16<<20 {
		t.Errorf("%d MiB are in use", (after-before)>>20)
	}
	write(s, "\x1b[2J\x1b[H\x1b]8;;https://example.com/\x1b\\x")
	if got := grid(s.Frame(0))[0].Spans[0].Link; got != "https://example.com/" {
		t.Errorf("the next link is %.40q", got)
	}
}

// heap returns the bytes in use.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
