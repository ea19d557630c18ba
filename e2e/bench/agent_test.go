package bench

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// agentFlag in the environment makes this program the agent that aside hosts.
const agentFlag = "ASIDE_BENCH_AGENT"

func TestMain(m *testing.M) {
	if os.Getenv(agentFlag) != "" {
		if err := runAgent(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	code := m.Run()
	removeBuilt()
	os.Exit(code)
}

// runAgent does what the first line of its input says, and then nothing more
// for as long as its terminal is there:
//
//	idle         nothing
//	spin N       a frame as Claude Code draws it at work, N times a second
//	text N       N bytes of coloured lines a second
//	repaint N    N bytes a second of whole pictures
//	play FILE N  the file's bytes N times, as fast as they are taken; it
//	             begins when FILE.go is written to, and ends that of FILE.done
//
// The terminal echoes what is typed.
func runAgent() error {
	in := bufio.NewScanner(os.Stdin)
	if !in.Scan() {
		return in.Err()
	}
	words := strings.Fields(in.Text())
	what, n := words[0], 0
	if len(words) > 1 {
		n, _ = strconv.Atoi(words[len(words)-1])
	}
	fmt.Printf("\x1b[2J\x1b[Hthe agent is ready: %s\r\n", what)
	switch what {
	case "spin":
		go every(time.Second/time.Duration(n), func(i int) []byte { return spinner(i) })
	case "text":
		go paced(n, coloured)
	case "repaint":
		go paced(n, picture)
	case "play":
		if err := play(words[1], n); err != nil {
			return err
		}
	}
	for in.Scan() {
	}
	return in.Err()
}

func play(file string, times int) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if _, err := os.ReadFile(file + ".go"); err != nil {
		return err
	}
	for range times {
		if _, err := os.Stdout.Write(data); err != nil {
			return err
		}
	}
	return os.WriteFile(file+".done", []byte("done"), 0)
}

// every writes what draw returns at each tick.
func every(d time.Duration, draw func(i int) []byte) {
	ticks := time.NewTicker(d)
	defer ticks.Stop()
	for i := 0; ; i++ {
		if _, err := os.Stdout.Write(draw(i)); err != nil {
			return
		}
		<-ticks.C
	}
}

// paced writes rate bytes a second in small pieces, as a busy program does.
func paced(rate int, draw func(i int) []byte) {
	const pieces = 200
	made := 0
	var rest []byte
	every(time.Second/pieces, func(int) []byte {
		for len(rest) < rate/pieces {
			rest = append(rest, draw(made)...)
			made++
		}
		piece := rest[:rate/pieces]
		rest = append([]byte(nil), rest[rate/pieces:]...)
		return piece
	})
}

// spinner is one frame of an agent at work: synchronized, one line of it new,
// the title with it.
func spinner(i int) []byte {
	glyphs := []string{"·", "✢", "✳", "✶", "✻", "✽"}
	return fmt.Appendf(nil, "\x1b[?2026h\x1b]0;%s Working\x07\x1b[5;1H\x1b[2K\x1b[38;5;174m%s Working…\x1b[39m \x1b[2m(%ds · esc to interrupt)\x1b[22m\x1b[?2026l",
		glyphs[i%2], glyphs[i%len(glyphs)], i/10)
}

// coloured is a line of a build or a test run.
func coloured(i int) []byte {
	return fmt.Appendf(nil, "\x1b[32mok\x1b[0m   \x1b[1mexample.com/project/package%d\x1b[0m  %d.%03ds  coverage: \x1b[33m%d.%d%%\x1b[0m of statements\r\n",
		i%977, i%7, i%1000, i%100, i%10)
}

// picture is a whole picture of 80 rows, each a little different.
func picture(i int) []byte {
	b := []byte("\x1b[?2026h\x1b[H")
	for y := range 80 {
		b = fmt.Appendf(b, "\x1b[%d;1H\x1b[3%dmrow %d\x1b[0m %s", y+1, y%8, i+y, strings.Repeat(string(rune('a'+(i+y)%26)), 80))
	}
	return append(b, "\x1b[?2026l"...)
}
