package pty

import (
	"os"
	"strconv"
	"strings"
)

// programName returns the name of a process, "" when it is not known.
func programName(pid int) string {
	name, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/comm")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(name))
}
