package pty

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
)

// sessionMembers returns the processes of the session that sid leads, the
// leader left out.
func sessionMembers(sid int) []int {
	dirs, _ := filepath.Glob("/proc/[0-9]*/stat")
	var pids []int
	for _, name := range dirs {
		stat, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		// proc(5): pid (comm) state ppid pgrp session …; comm may hold anything.
		fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
		if len(fields) < 4 {
			continue
		}
		s, _ := strconv.Atoi(string(fields[3]))
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		// One that has ended and waits to be reaped is no member any more.
		if state := fields[0][0]; s == sid && pid != sid && state != 'Z' && state != 'X' {
			pids = append(pids, pid)
		}
	}
	return pids
}
