package git

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"aside/session"
)

// InitProject makes a small project: a repository with one commit, on the
// branch main, that holds the files (content by path, with slashes). dir is
// made; it must not hold anything.
func (g *Git) InitProject(ctx context.Context, dir string, files map[string]string) error {
	return failed("The project could not be made", "", g.initProject(ctx, dir, files))
}

func (g *Git) initProject(ctx context.Context, dir string, files map[string]string) error {
	if err := g.check(ctx); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if held, err := os.ReadDir(dir); err != nil || len(held) > 0 {
		return &session.Error{
			Code: session.CodeUsage, Message: "The folder " + plain(dir) + " is not empty",
			Hint: "Choose another one", Cause: err,
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	for path, content := range files {
		if err := root.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return fmt.Errorf("write %s: %w", path, err)
		}
		if err := root.WriteFile(path, []byte(content), 0o644); err != nil {
			return fmt.Errorf("write %s: %w", path, err)
		}
	}
	for _, args := range [][]string{
		{"init", "--quiet", "--template=", "--initial-branch=main"},
		{"add", "--all", "--force"},
		{"commit", "--quiet", "--allow-empty", "--no-verify", "--message=Start"},
	} {
		if _, err := g.run(ctx, call{dir: dir, args: args, env: identity(), writes: true}); err != nil {
			return err
		}
	}
	return nil
}
