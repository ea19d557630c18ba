package proposals

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// Self returns this process as a taker, without a nonce.
func Self() (Taker, error) {
	pid := os.Getpid()
	stamp, err := stampOf(pid)
	return Taker{PID: pid, Stamp: stamp}, err
}

// Dead says that the process of t is gone, also when its pid was given to
// another since. When that cannot be learnt it is taken to be alive: a claim
// that stays too long is an annoyance, one released too early is a second
// checkout.
func (t Taker) Dead() bool {
	if t.PID <= 0 {
		return true
	}
	if err := syscall.Kill(t.PID, 0); errors.Is(err, syscall.ESRCH) {
		return true
	}
	stamp, err := stampOf(t.PID)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	return stamp != t.Stamp
}
