package bench

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// counted counts the bytes of a terminal's output.
type counted struct{ n atomic.Int64 }

func (c *counted) tap(p []byte) { c.n.Add(int64(len(p))) }

// working is what the agents show, one way or the other.
const working = `the agent is ready|coverage:|row \d|Working…`

// BenchmarkIdle measures what is spent and written while nothing changes: the
// screen, with a helper whose agent does nothing in view, and what of the
// memory each of them holds.
func BenchmarkIdle(b *testing.B) {
	s := newStage(b)
	_, helper := s.start(b, "generic", "idle")
	var out counted
	t := s.open(b, 300, 80, out.tap)
	see(b, t, "the agent is ready")
	window(2 * time.Second) // until the last of the start is over
	for b.Loop() {
		before := out.n.Load()
		spent, ok := share(b, 3*time.Second, t.Pid(), helper)
		b.ReportMetric(0, "ns/op")
		b.ReportMetric(float64(out.n.Load()-before), "bytes-written")
		if !ok {
			return
		}
		b.ReportMetric(spent[0], "%core-screen")
		b.ReportMetric(spent[1], "%core-helper")
		b.ReportMetric(memory(b, helper, "VmRSS"), "MB-helper")
		b.ReportMetric(memory(b, helper, "RssAnon"), "MB-helper-own")
		b.ReportMetric(memory(b, t.Pid(), "VmRSS"), "MB-screen")
		b.ReportMetric(memory(b, t.Pid(), "RssAnon"), "MB-screen-own")
	}
}

// memory returns a line of a process's memory in MB: VmRSS is all that is
// resident, RssAnon what it does not share with the program's file.
func memory(b *testing.B, pid int, what string) float64 {
	b.Helper()
	if runtime.GOOS != "linux" {
		b.Log("only Linux tells how much memory a process has: not measured")
		return 0
	}
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	check(b, err)
	for line := range strings.Lines(string(text)) {
		if after, ok := strings.CutPrefix(line, what+":"); ok {
			var kb int
			_, err := fmt.Sscan(after, &kb)
			check(b, err)
			return float64(kb) / 1024
		}
	}
	b.Fatalf("no %s in the status of process %d", what, pid)
	return 0
}

// BenchmarkBusy measures what an agent costs that writes 1 MB a second, in a
// window of 300x80 that shows nothing else, of one core: the screen and the
// helper, and a client of tmux and its server with the same agent.
func BenchmarkBusy(b *testing.B) {
	for _, kind := range []string{"text", "repaint"} {
		b.Run(kind, func(b *testing.B) {
			for b.Loop() {
				loaded(b, kind+" 1000000")
			}
		})
	}
}

// BenchmarkEight measures what eight busy agents cost with one of them in
// view, as they work (a spinner), and when each writes 1 MB a second.
func BenchmarkEight(b *testing.B) {
	for _, line := range []string{"spin 10", "text 1000000"} {
		b.Run(strings.Fields(line)[0], func(b *testing.B) {
			for b.Loop() {
				loaded(b, line, line, line, line, line, line, line, line)
			}
		})
	}
}

// loadTime is how long a load is measured.
const loadTime = 5 * time.Second

// loaded measures agents that do what the lines say.
func loaded(b *testing.B, lines ...string) {
	b.ReportMetric(0, "ns/op")
	ours, ok := asideUnder(b, lines)
	if !ok {
		return
	}
	helpers := 0.0
	for _, p := range ours[1:] {
		helpers += p
	}
	b.ReportMetric(ours[0], "%core-screen")
	b.ReportMetric(helpers, "%core-helpers")
	b.ReportMetric(ours[0]+helpers, "%core")
	if !tmuxThere(b) {
		return
	}
	m := openTmux(b, 300, 80, nil, lines...)
	window(time.Second)
	theirs, _ := share(b, loadTime, m.server, m.client.Pid())
	b.ReportMetric(theirs[0]+theirs[1], "%core-tmux")
	b.ReportMetric((ours[0]+helpers)/(theirs[0]+theirs[1]), "x-tmux")
}

// asideUnder returns what the screen costs, and then what each helper does.
func asideUnder(b *testing.B, lines []string) ([]float64, bool) {
	b.Helper()
	s := newStage(b)
	pids := []int{0}
	for _, line := range lines {
		_, helper := s.start(b, "generic", line)
		pids = append(pids, helper)
	}
	var out counted
	t := s.open(b, 300, 80, out.tap)
	pids[0] = t.Pid()
	see(b, t, working)
	wide(b, t)
	window(time.Second)
	before := out.n.Load()
	spent, ok := share(b, loadTime, pids...)
	if out.n.Load() == before {
		b.Fatalf("the agent in view showed nothing:\n%s", t.Text())
	}
	b.ReportMetric(float64(out.n.Load()-before)/loadTime.Seconds()/1e6, "MB/s-drawn")
	s.stopAll(b)
	return spent, ok
}
