package offers

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// The repository of the benchmark.
const (
	benchFolders = 500
	benchPerDir  = 100
)

// BenchmarkStart measures, in a repository of 50,000 files, how much later
// than git worktree add alone would end the agent's process is there: from the
// start of the command, its own start-up included.
func BenchmarkStart(b *testing.B) {
	w := newWorld(b, func(w *world, dir string) string {
		for d := range benchFolders {
			folder := filepath.Join(dir, fmt.Sprintf("d%03d", d))
			must(b, os.Mkdir(folder, 0o755))
			for f := range benchPerDir {
				must(b, os.WriteFile(filepath.Join(folder, fmt.Sprintf("f%03d", f)), []byte(fmt.Sprintf("%d/%d\n", d, f)), 0o600))
			}
		}
		w.repository(dir)
		return dir
	}).offering()
	var plain, whole, over []float64
	n := 0
	for b.Loop() {
		n++
		path := filepath.Join(w.seen, fmt.Sprintf("plain%d", n))
		began := time.Now()
		w.git(w.project, "worktree", "add", "--quiet", "-b", fmt.Sprintf("plain%d", n), path)
		add := time.Since(began)

		id := w.offer(fmt.Sprintf("Offer %d", n), offered)
		began = time.Now()
		thread := w.aside("start", string(id))
		// Its first act is to open this file.
		started, err := os.Stat(filepath.Join(w.seen, thread+".cwd"))
		for os.IsNotExist(err) { // the command ends when the process is there, maybe before its first act
			started, err = os.Stat(filepath.Join(w.seen, thread+".cwd"))
		}
		must(b, err)
		start := started.ModTime().Sub(began)
		plain, whole = append(plain, ms(add)), append(whole, ms(start))
		over = append(over, ms(start-add))

		b.StopTimer()
		w.aside("stop", thread)
		w.git(w.project, "worktree", "remove", "--force", path)
		if out, fault, code := w.run("", "rm", thread); code != 0 {
			b.Fatal(out, fault)
		}
		b.StartTimer()
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(plain), "ms-worktree-add")
	b.ReportMetric(median(whole), "ms-start")
	b.ReportMetric(median(over), "ms-over")
	b.Logf("in ms: worktree add %s; start %s", list(plain), list(whole))
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func median(all []float64) float64 {
	sorted := slices.Sorted(slices.Values(all))
	return sorted[len(sorted)/2]
}

func list(all []float64) string {
	var s []string
	for _, v := range all {
		s = append(s, fmt.Sprintf("%.0f", v))
	}
	return strings.Join(s, " ")
}
