package pty

import "golang.org/x/sys/unix"

const (
	getTermios = unix.TIOCGETA
	// maxLine is how long a line may be in canonical mode: MAX_CANON.
	maxLine = 1024
)
