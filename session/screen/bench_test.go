package screen

import (
	"bytes"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// benchText returns about 1 MiB of output of one kind.
func benchText(kind string) []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < 1<<20; i++ {
		switch kind {
		case "ascii":
			fmt.Fprintf(&b, "%6d %s\r\n", i, strings.Repeat("the quick brown fox ", 4))
		case "sgr":
			for k := range 12 {
				fmt.Fprintf(&b, "\x1b[%d;38;5;%dmword%d\x1b[0m ", k%2, (i+k)%256, k)
			}
			b.WriteString("\r\n")
		case "unicode":
			b.WriteString("日本語のテキスト и русский, é̂ ✓ 👩‍👩‍👧 🇯🇵 ❤️ ─│┌ ελληνικά\r\n")
		case "repaint":
			b.WriteString("\x1b[?2026h\x1b[H")
			for y := range 40 {
				fmt.Fprintf(&b, "\x1b[%d;1H\x1b[2K\x1b[1mrow %d\x1b[0m %s", y+1, i, strings.Repeat("x", 60+y))
			}
			b.WriteString("\x1b[?2026l")
		}
	}
	return b.Bytes()
}

func BenchmarkWrite(b *testing.B) {
	text := map[string][]byte{}
	for _, kind := range []string{"ascii", "sgr", "unicode", "repaint"} {
		text[kind] = benchText(kind)
	}
	for _, stream := range recorded(b) {
		agent, _, _ := strings.Cut(stream.Name, "-")
		text[agent] = append(text[agent], stream.Output()...)
	}
	for _, kind := range slices.Sorted(maps.Keys(text)) {
		for _, size := range [][2]int{{120, 40}, {260, 80}} {
			b.Run(fmt.Sprintf("%s/%dx%d", kind, size[0], size[1]), func(b *testing.B) {
				s := New(Options{Cols: size[0], Rows: size[1], HistoryLines: 10_000})
				b.SetBytes(int64(len(text[kind])))
				for b.Loop() {
					for p := text[kind]; len(p) > 0; {
						n := min(len(p), 32<<10)
						_, _ = s.Write(p[:n])
						p = p[n:]
					}
				}
			})
		}
	}
}

// BenchmarkFrame is one line changed in a screen of 300x80, as a spinner does.
func BenchmarkFrame(b *testing.B) {
	s := New(Options{Cols: 300, Rows: 80})
	write(s, string(benchText("sgr")[:64<<10]))
	v := viewer{}
	v.update(s)
	for i := 0; b.Loop(); i++ {
		write(s, fmt.Sprintf("\x1b[40;1H\x1b[31m%c working\x1b[m", '0'+i%10))
		v.update(s)
	}
}

// BenchmarkHistory reports the memory that 10,000 rows of scrollback take at
// 120 columns: full ones of one style, and the made-up output of each kind.
func BenchmarkHistory(b *testing.B) {
	text := map[string][]byte{"full": []byte(strings.Repeat(strings.Repeat("0123456789", 12)+"\r\n", 1000))}
	for _, kind := range []string{"ascii", "sgr", "unicode"} {
		text[kind] = benchText(kind)
	}
	for _, kind := range slices.Sorted(maps.Keys(text)) {
		b.Run(kind, func(b *testing.B) {
			var before, after runtime.MemStats
			for b.Loop() {
				runtime.GC()
				runtime.ReadMemStats(&before)
				s := New(Options{Cols: 120, Rows: 40, HistoryLines: 10_000})
				for s.history.n < 10_000 {
					_, _ = s.Write(text[kind])
				}
				runtime.GC()
				runtime.ReadMemStats(&after)
				runtime.KeepAlive(s)
			}
			b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/(1<<20), "MiB/10k-rows")
		})
	}
}

// BenchmarkResize breaks a history of 10,000 rows anew.
func BenchmarkResize(b *testing.B) {
	s := New(Options{Cols: 120, Rows: 40, HistoryLines: 10_000})
	for s.history.n < 10_000 {
		_, _ = s.Write(benchText("unicode"))
	}
	for i := 0; b.Loop(); i++ {
		s.Resize(100+i%2*20, 40)
	}
}
