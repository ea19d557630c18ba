// Package commands runs the command line as scripts do: the built program,
// with shell scripts and the demo agent as its agents. It downloads nothing.
package commands

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// patience bounds every wait of these tests; a busy machine is slow.
const patience = 2 * time.Minute

// programs is the folder of the built programs.
var programs string

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "aside")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(dir) }()
	programs = dir
	for name, pkg := range map[string]string{"aside": ".", "aside-hook": "./hookbridge/hook/aside-hook"} {
		cmd := exec.Command("go", "build", "-buildvcs=false", "-tags", "sqlite_fts5", "-o", filepath.Join(dir, name), pkg)
		cmd.Dir = filepath.Join("..", "..")
		if out, err := cmd.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "build %s: %v\n%s", name, err, out)
			return 1
		}
	}
	return m.Run()
}
