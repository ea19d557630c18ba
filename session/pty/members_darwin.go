package pty

import (
	"golang.org/x/sys/unix"
)

// sessionMembers returns the processes of the session that sid leads, the
// leader left out. Where the system does not list sessions, the process
// group alone is ended.
func sessionMembers(sid int) []int {
	procs, err := unix.SysctlKinfoProcSlice("kern.proc.session", sid)
	if err != nil {
		return nil
	}
	var pids []int
	for _, p := range procs {
		if pid := int(p.Proc.P_pid); pid != sid {
			pids = append(pids, pid)
		}
	}
	return pids
}
