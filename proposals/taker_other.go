//go:build !linux

package proposals

import (
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"strconv"
	"strings"
)

// stampOf returns when the process began, as ps prints it. It is
// fs.ErrNotExist when there is no such process, or only what is left of it
// until its parent has asked.
func stampOf(pid int) (string, error) {
	cmd := exec.Command("ps", "-o", "state=,lstart=", "-p", strconv.Itoa(pid))
	cmd.Env = []string{"LC_ALL=C", "TZ=UTC", "PATH=/usr/bin:/bin"}
	out, err := cmd.Output()
	var exit *exec.ExitError
	state, began, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	switch {
	case errors.As(err, &exit) && state == "", strings.HasPrefix(state, "Z"):
		return "", fmt.Errorf("process %d has ended: %w", pid, fs.ErrNotExist)
	case err != nil:
		return "", fmt.Errorf("look at process %d: %w", pid, err)
	}
	return strings.TrimSpace(began), nil
}
