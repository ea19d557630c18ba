package pty

import "golang.org/x/sys/unix"

// programName returns the name of a process, "" when it is not known.
func programName(pid int) string {
	p, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		return ""
	}
	return unix.ByteSliceToString(p.Proc.P_comm[:])
}
