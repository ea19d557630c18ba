//go:build !linux

package storage

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"testing"
)

func asNobody(t *testing.T) func(*exec.Cmd) {
	t.Helper()
	if os.Geteuid() == 0 {
		t.Skip("root may write anywhere")
	}
	return func(*exec.Cmd) {}
}

func fullChild(string, *bufio.Scanner) error {
	return errors.New("no file system of its own is possible here")
}
