package screen

import (
	"bytes"
	"encoding/base64"
	"strconv"
	"unicode"
	"unicode/utf8"
)

// ProgramStatus is a program's report on what it is doing (OSC 7501). Each
// report replaces the one before of the same ID.
type ProgramStatus struct {
	State    string // idle, working, blocked, done, error or clear
	Kind     string // of what blocks: permission, question or auth; else ""
	App      string
	ID       string // parts joined by /, "" for the program itself
	Progress int    // percent, or -1
	Title    string
	Message  string
}

const maxStatus = 4096

// parseStatus reads key=value pairs joined by colons, and says whether the
// report is a valid one. Unknown keys are skipped.
func parseStatus(report []byte) (ProgramStatus, bool) {
	st := ProgramStatus{Progress: -1}
	if len(report) > maxStatus {
		return st, false
	}
	for pair := range bytes.SplitSeq(report, []byte{':'}) {
		key, value, found := bytes.Cut(pair, []byte{'='})
		if !found || !statusKey(key) || !statusValue(value) {
			return st, false
		}
		if !st.set(string(key), string(value)) {
			return st, false
		}
	}
	return st, st.State != ""
}

func statusKey(key []byte) bool {
	for _, b := range key {
		if b < 'a' || b > 'z' {
			return false
		}
	}
	return len(key) > 0
}

func statusValue(value []byte) bool {
	for _, b := range value {
		switch {
		case b >= 'A' && b <= 'Z', b >= 'a' && b <= 'z', b >= '0' && b <= '9':
		case bytes.IndexByte([]byte("_.,+/=-"), b) >= 0:
		default:
			return false
		}
	}
	return true
}

func (st *ProgramStatus) set(key, value string) (ok bool) {
	switch key {
	case "state":
		switch value {
		case "idle", "working", "blocked", "done", "error", "clear":
			st.State = value
			return true
		}
		return false
	case "kind":
		switch value {
		case "permission", "question", "auth":
			st.Kind = value
		}
	case "app":
		st.App = value
	case "id":
		st.ID = value
	case "progress":
		n, err := strconv.Atoi(value)
		if err != nil || n < 0 || n > 100 {
			return false
		}
		st.Progress = n
	case "title":
		st.Title, ok = statusText(value)
		return ok
	case "msg":
		st.Message, ok = statusText(value)
		return ok
	}
	return true
}

// statusText decodes a text, which may hold no control characters.
func statusText(value string) (string, bool) {
	text, err := base64.StdEncoding.DecodeString(value)
	if err != nil || len(text) > maxText || !utf8.Valid(text) || bytes.ContainsFunc(text, unicode.IsControl) {
		return "", false
	}
	return string(text), true
}
