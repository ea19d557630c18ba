package demo

import (
	"os"

	"golang.org/x/sys/unix"
)

// makeRaw makes a terminal pass every key on as it is, and returns how to set
// it back. A file that is no terminal is left as it is.
func makeRaw(f *os.File) (restore func(), err error) {
	fd := int(f.Fd()) //nolint:gosec // a descriptor is small
	before, err := unix.IoctlGetTermios(fd, getTermios)
	if err != nil {
		return func() {}, nil //nolint:nilerr // no terminal
	}
	raw := *before
	raw.Iflag &^= unix.IGNBRK | unix.BRKINT | unix.PARMRK | unix.ISTRIP | unix.INLCR | unix.IGNCR | unix.ICRNL | unix.IXON
	raw.Oflag &^= unix.OPOST
	raw.Lflag &^= unix.ECHO | unix.ECHONL | unix.ICANON | unix.ISIG | unix.IEXTEN
	raw.Cflag = raw.Cflag&^(unix.CSIZE|unix.PARENB) | unix.CS8
	raw.Cc[unix.VMIN], raw.Cc[unix.VTIME] = 1, 0
	if err := unix.IoctlSetTermios(fd, setTermios, &raw); err != nil {
		return nil, err
	}
	return func() { _ = unix.IoctlSetTermios(fd, setTermios, before) }, nil
}

// size returns the columns and rows of a terminal, 80 by 24 for anything else.
func size(f *os.File) (cols, rows int) {
	ws, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ) //nolint:gosec // a descriptor is small
	if err != nil || ws.Col == 0 || ws.Row == 0 {
		return 80, 24
	}
	return int(ws.Col), int(ws.Row)
}
