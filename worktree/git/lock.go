package git

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// lockPoll is how often a taken lock is tried again.
const lockPoll = 25 * time.Millisecond

// hold is the right to change one repository. Only one exists at a time per
// repository, across processes; the operating system takes it back from a
// process that dies.
type hold struct {
	git  *Git
	lock *flock.Flock
	env  []string
}

// hold waits for the right to change the repository with the common folder
// (git rev-parse --git-common-dir), which dir is in or is. The caller must
// release it.
func (g *Git) hold(ctx context.Context, common, dir string) (*hold, error) {
	if err := os.MkdirAll(g.locks, 0o700); err != nil {
		return nil, fmt.Errorf("lock repository: %w", err)
	}
	if target, err := filepath.EvalSymlinks(common); err == nil {
		common = target
	}
	sum := sha256.Sum256([]byte(common))
	lock := flock.New(filepath.Join(g.locks, "git-"+hex.EncodeToString(sum[:8])+".lock"))
	ctx, cancel := context.WithTimeout(ctx, writeLimit)
	defer cancel()
	if _, err := lock.TryLockContext(ctx, lockPoll); err != nil {
		return nil, fmt.Errorf("lock repository: %w", err)
	}
	h := &hold{git: g, lock: lock}
	env, err := g.withoutHooks(ctx, dir)
	if err != nil {
		h.release()
		return nil, fmt.Errorf("lock repository: %w", err)
	}
	h.env = env
	return h, nil
}

func (h *hold) release() {
	// The file stays: to take it away would let two processes hold it at once.
	_ = h.lock.Close()
}

// run runs Git so that it may change the repository.
func (h *hold) run(ctx context.Context, dir string, args ...string) ([]byte, error) {
	return h.git.run(ctx, call{dir: dir, args: args, env: h.env, writes: true})
}

// withoutHooks returns the environment that switches off the hooks which the
// configuration names (git-hook(1), from Git 2.54 on); core.hooksPath covers
// only those in files. It goes by environment because a name can hold an
// equals sign, which -c cannot.
func (g *Git) withoutHooks(ctx context.Context, dir string) ([]string, error) {
	out, err := g.read(ctx, dir, "config", "-z", "--name-only", "--get-regexp", `^hook\..*\.(event|command)$`)
	if err != nil {
		if isStatus(err, 1) { // there are none
			return nil, nil
		}
		return nil, err
	}
	var env []string
	seen := map[string]bool{}
	for key := range strings.SplitSeq(string(out), "\x00") {
		end := strings.LastIndexByte(key, '.')
		if end < 0 || seen[key[:end]] {
			continue
		}
		n := strconv.Itoa(len(seen))
		seen[key[:end]] = true
		env = append(env, "GIT_CONFIG_KEY_"+n+"="+key[:end]+".enabled", "GIT_CONFIG_VALUE_"+n+"=false")
	}
	return append(env, "GIT_CONFIG_COUNT="+strconv.Itoa(len(seen))), nil
}
