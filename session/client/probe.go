package client

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/gofrs/flock"
)

// Probe says whether a helper of the thread is there, or about to be: it
// answers on the socket, or holds the lock.
func Probe(ctx context.Context, socket, lock string) (bool, error) {
	c, err := dial(ctx, socket)
	if err == nil {
		return true, c.Close()
	}
	if !errors.Is(err, ErrNoHelper) {
		return false, err
	}
	l := flock.New(lock, flock.SetFlag(0)) // not made if it is missing
	free, err := l.TryRLock()
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("look for helper: %w", err)
	}
	if free {
		return false, l.Unlock()
	}
	return true, nil
}

// goneInterval is how often AwaitGone looks: the system tells nobody when a
// lock becomes free.
const goneInterval = 10 * time.Millisecond

// AwaitGone waits until no helper holds the lock.
func AwaitGone(ctx context.Context, lock string) error {
	l := flock.New(lock, flock.SetFlag(0))
	_, err := l.TryRLockContext(ctx, goneInterval)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("wait for helper to end: %w", err)
	}
	return l.Unlock()
}
