package proposals

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// startField is the place of starttime in /proc/PID/stat behind the name of
// the program, counted from 0 (proc_pid_stat(5): field 22 of all).
const startField = 19

// stampOf returns when the process began: the id of the boot and the clock
// ticks since. It is fs.ErrNotExist when there is no such process, or only
// what is left of it until its parent has asked.
func stampOf(pid int) (string, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return "", fmt.Errorf("look at process %d: %w", pid, err)
	}
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return "", errors.New("read the id of the boot: " + err.Error()) // not wrapped: its absence says nothing about the process
	}
	// The name is in brackets and may hold anything, brackets included.
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if len(fields) <= startField {
		return "", fmt.Errorf("look at process %d: its stat is not understood", pid)
	}
	if fields[0] == "Z" || fields[0] == "X" {
		return "", fmt.Errorf("process %d has ended: %w", pid, fs.ErrNotExist)
	}
	return strings.TrimSpace(string(boot)) + ":" + fields[startField], nil
}
