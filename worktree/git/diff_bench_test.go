package git

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// BenchmarkReview measures Diff and Tally against a plain `git diff --numstat`
// in a repository of 10,000 files, of which 50 are changed and 10 untracked;
// x-plain is how many times as long they take.
func BenchmarkReview(b *testing.B) {
	base := b.TempDir()
	g := New(filepath.Join(base, "data"), filepath.Join(base, "locks"))
	repo := filepath.Join(base, "repo")
	files := map[string]string{}
	for i := range 10_000 {
		files[fmt.Sprintf("d%d/f%d.txt", i%100, i)] = fmt.Sprintf("content of file %d\n", i)
	}
	if err := g.InitProject(b.Context(), repo, files); err != nil {
		b.Fatal(err)
	}
	for i := range 60 {
		path := filepath.Join(repo, fmt.Sprintf("d%d/f%d.txt", i%100, i))
		if i >= 50 {
			path += ".new"
		}
		if err := os.WriteFile(path, []byte("changed\n"), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	for _, c := range []struct {
		name string
		run  func() error
	}{
		{"diff", func() error { _, err := g.Diff(b.Context(), repo, ""); return err }},
		{"tally", func() error { _, err := g.Tally(b.Context(), repo, ""); return err }},
	} {
		b.Run(c.name, func(b *testing.B) {
			var ours, plain time.Duration
			for b.Loop() {
				ours += timed(b, c.run)
				plain += timed(b, func() error { _, err := g.read(b.Context(), repo, "diff", "--numstat", "HEAD"); return err })
			}
			b.ReportMetric(float64(ours)/float64(plain), "x-plain")
			b.ReportMetric(float64(ours.Milliseconds())/float64(b.N), "ms-ours")
		})
	}
}
