package worktree

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"strconv"
	"strings"
)

// Prefix is what every branch that aside makes begins with.
const Prefix = "aside/"

const (
	slugLength = 42 // bytes of a title's slug at most
	idLength   = 6  // characters of the thread id in a branch name
	hashLength = 8  // hexadecimal digits of a project path's hash
	nothing    = "thread"
)

// Slug returns a title as lower case ASCII letters, digits and single dashes,
// at most 42 bytes, neither beginning nor ending with a dash. Other letters
// are dropped, everything else parts words. It is never empty: what leaves
// nothing behind becomes "thread".
func Slug(title string) string { return slug(title, nothing) }

func slug(text, fallback string) string {
	var b strings.Builder
	part := false
	for _, r := range text {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		switch {
		case 'a' <= r && r <= 'z' || '0' <= r && r <= '9':
			if part && b.Len() > 0 {
				b.WriteByte('-')
			}
			part = false
			b.WriteRune(r)
		case r == '\'' || r > 0x7f:
			// dropped: "don't" reads as dont
		default:
			part = true
		}
	}
	s := b.String()
	if len(s) > slugLength {
		s = strings.TrimRight(s[:slugLength], "-")
	}
	if s == "" {
		return fallback
	}
	return s
}

// Branch returns the branch of a thread, without refs/heads/, as it is when
// that name is free; see Numbered.
func Branch(title, thread string) string {
	id := slug(thread, nothing)
	if len(id) > idLength {
		id = strings.TrimRight(id[:idLength], "-")
	}
	return Prefix + Slug(title) + "-" + id
}

// Numbered returns the nth name to try for a branch: itself for 1, then with
// -2 and on.
func Numbered(branch string, n int) string {
	if n <= 1 {
		return branch
	}
	return branch + "-" + strconv.Itoa(n)
}

// ProjectFolder returns the name of the folder that holds a project's
// worktrees: the slug of its base name and a hash of the whole path, so that
// no two projects share one. path is absolute.
func ProjectFolder(path string) string {
	path = filepath.Clean(path)
	sum := sha256.Sum256([]byte(path))
	return slug(filepath.Base(path), "project") + "-" + hex.EncodeToString(sum[:])[:hashLength]
}

// Folder returns the folder of a thread's worktree. root is where all
// worktrees lie, project the project's absolute path, thread the thread's id.
func Folder(root, project, thread string) string {
	return filepath.Join(root, ProjectFolder(project), slug(thread, nothing))
}
