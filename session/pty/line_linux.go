package pty

import "golang.org/x/sys/unix"

const (
	getTermios = unix.TCGETS
	// maxLine is how long a line may be in canonical mode (termios(3)).
	maxLine = 4095
)
