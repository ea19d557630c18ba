package pty

import "golang.org/x/sys/unix"

// Takes says whether a line of n bytes, its end not counted, reaches the
// program whole: a terminal that edits lines itself cuts longer ones.
func (c *Child) Takes(n int) bool {
	if n < maxLine {
		return true
	}
	c.open.RLock()
	defer c.open.RUnlock()
	if c.closed {
		return false
	}
	t, err := unix.IoctlGetTermios(int(c.ctl.Fd()), getTermios)
	return err == nil && t.Lflag&unix.ICANON == 0
}

// Foreground says that the program itself has the terminal, not one that it
// started in it, as a shell does with what it is told to run.
func (c *Child) Foreground() bool {
	group, ok := c.foreground()
	return ok && group == c.Pid()
}

// Running returns the name of the program that has the terminal instead of the
// child, as far as it is known; "" where it is the child's own.
func (c *Child) Running() string {
	group, ok := c.foreground()
	if !ok || group == c.Pid() {
		return ""
	}
	if name := programName(group); name != "" {
		return name
	}
	return "a program"
}

// foreground returns the process group that the terminal's keys go to.
func (c *Child) foreground() (group int, ok bool) {
	c.open.RLock()
	defer c.open.RUnlock()
	if c.closed {
		return 0, false
	}
	group, err := unix.IoctlGetInt(int(c.ctl.Fd()), unix.TIOCGPGRP)
	return group, err == nil && group > 0
}
