package wire

import (
	"syscall"
	"unsafe"
)

// The names of sys/un.h and sys/ucred.h, which package syscall lacks.
const (
	solLocal      = 0
	localPeercred = 1
	xucredVersion = 0
)

type xucred struct {
	version uint32
	uid     uint32
	ngroups int16
	groups  [16]uint32
}

// peerUID returns the user at the other end of a Unix socket (unix(4)).
func peerUID(fd int) (uint32, error) {
	var cred xucred
	size := uint32(unsafe.Sizeof(cred))
	_, _, errno := syscall.Syscall6(syscall.SYS_GETSOCKOPT, uintptr(fd), solLocal, localPeercred,
		uintptr(unsafe.Pointer(&cred)), uintptr(unsafe.Pointer(&size)), 0)
	switch {
	case errno != 0:
		return 0, errno
	case cred.version != xucredVersion:
		return 0, syscall.EINVAL
	}
	return cred.uid, nil
}
