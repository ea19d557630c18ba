package git

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"aside/worktree"
)

// BenchmarkAdd measures Add against a plain `git worktree add` in a repository
// of many files; x-plain is how many times as long it takes.
func BenchmarkAdd(b *testing.B) {
	for _, count := range []int{100, 10_000} {
		b.Run(fmt.Sprintf("files=%d", count), func(b *testing.B) { benchmarkAdd(b, count) })
	}
}

func benchmarkAdd(b *testing.B, count int) {
	base := b.TempDir()
	g := New(filepath.Join(base, "data"), filepath.Join(base, "locks"))
	repo := filepath.Join(base, "repo")
	files := map[string]string{}
	for i := range count {
		files[fmt.Sprintf("d%d/f%d.txt", i%100, i)] = fmt.Sprintf("content of file %d\n", i)
	}
	if err := g.InitProject(b.Context(), repo, files); err != nil {
		b.Fatal(err)
	}
	h, err := g.hold(b.Context(), filepath.Join(repo, ".git"), repo)
	if err != nil {
		b.Fatal(err)
	}
	h.release()

	var ours, plain time.Duration
	for i := 0; b.Loop(); i++ {
		id := fmt.Sprintf("thread%d", i)
		path := filepath.Join(base, "plain", id)
		runs := []func(){
			func() {
				ours += timed(b, func() error {
					_, err := g.Add(b.Context(), Request{
						Repo: repo, Path: worktree.Folder(g.root, repo, id),
						Branch: worktree.Branch("Work", fmt.Sprintf("%06d", i)),
					})
					return err
				})
			},
			func() {
				plain += timed(b, func() error {
					_, err := h.run(b.Context(), repo, "worktree", "add", "--quiet", "-b", id, path)
					return err
				})
			},
		}
		// In turns, so that neither always finds the caches warm.
		runs[i%2]()
		runs[1-i%2]()
		b.StopTimer()
		for _, used := range []string{path, worktree.Folder(g.root, repo, id)} {
			if err := os.RemoveAll(used); err != nil {
				b.Fatal(err)
			}
		}
		if _, err := h.run(b.Context(), repo, "worktree", "prune"); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
	b.ReportMetric(float64(ours)/float64(plain), "x-plain")
}

func timed(b *testing.B, run func() error) time.Duration {
	start := time.Now()
	if err := run(); err != nil {
		b.Fatal(err)
	}
	return time.Since(start)
}
