package storage

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// asNobody makes a child run without the rights of root, which no mode of a
// file keeps out.
func asNobody(t *testing.T) func(*exec.Cmd) {
	t.Helper()
	return func(cmd *exec.Cmd) {
		if os.Geteuid() != 0 {
			return
		}
		// The folders to the test binary are closed to others; the link in
		// /proc leads there all the same.
		cmd.Path = "/proc/self/exe"
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	}
}

// fullChild runs in a mount namespace of its own.
func fullChild(dir string, _ *bufio.Scanner) error {
	if err := syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""); err != nil {
		fmt.Println("skip: no private mounts:", err)
		return nil
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=2m"); err != nil {
		fmt.Println("skip: no tmpfs:", err)
		return nil
	}
	db, err := Open(filepath.Join(dir, "aside.db"), nil)
	if err != nil {
		return err
	}
	if err := wantFull(db, func() error { return syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT, "size=64m") }); err != nil {
		return err
	}
	fmt.Println("done")
	return db.Close()
}

func TestAFullDiskChangesNothing(t *testing.T) {
	dir := t.TempDir()
	self, err := os.Executable()
	ok(t, err)
	cmd := exec.Command(self, dir)
	cmd.Env = append(os.Environ(), childEnv+"=full")
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS}
	if os.Geteuid() != 0 {
		cmd.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	}
	out, err := cmd.CombinedOutput()
	switch {
	case len(out) == 0 && err != nil:
		t.Skipf("no mount namespace of its own is possible here: %v", err)
	case string(out[:min(5, len(out))]) == "skip:":
		t.Skip(string(out))
	case err != nil || string(out) != "done\n":
		t.Errorf("%v: %s", err, out)
	}
}
