package agent

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"aside/session"
	"aside/session/transcript"
)

// Reader reads the record that an agent keeps itself.
type Reader interface {
	// Read returns what was added to the file since the offset, in the order
	// of the file, and the offset to go on from. A line that is still being
	// written is left for later. One call reads a bounded amount: when next
	// differs from offset there may be more. A file that is not there yet has
	// nothing in it.
	Read(path string, offset int64) (items []Item, next int64, err error)
}

// Item is one thing that a record tells: an entry or an update.
type Item struct {
	// Entry is complete but for ID, Thread and Turn. Its Key is its identity.
	Entry *transcript.Entry
	// Update completes an earlier entry.
	Update *Update
	// Interrupted says that the person interrupted the turn, which some
	// agents report in no other way. It is set beside the Entry that says so.
	Interrupted bool
}

// Update is what became of a tool's use. There may be none with its key, for
// a use that is not shown.
type Update struct {
	Key    string // of the entry that it completes
	Output string
	Failed bool
}

const (
	readLimit = 4 << 20  // how much one ReadLines takes, in bytes; a longer line is read whole
	lineLimit = 8 << 20  // a longer line is skipped
	partLimit = 32 << 10 // of what went into a tool, and of what came out, in bytes
)

// ReadLines is Read for a record of lines that is only appended to; itemsOf
// returns what a line tells, nothing for one that is not known.
func ReadLines(path string, offset int64, itemsOf func(line []byte) []Item) (items []Item, next int64, err error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, offset, nil
	}
	if err != nil {
		return nil, offset, fmt.Errorf("read transcript: %w", err)
	}
	defer func() { _ = f.Close() }()
	if _, err := f.Seek(offset, io.SeekStart); err != nil {
		return nil, offset, fmt.Errorf("read transcript: %w", err)
	}
	r := bufio.NewReaderSize(f, 64<<10)
	next = offset
	for next-offset < readLimit {
		line, n, err := nextLine(r)
		if errors.Is(err, io.EOF) {
			break // what was read of it is not a whole line yet
		}
		if err != nil {
			return items, next, fmt.Errorf("read transcript: %w", err)
		}
		next += n
		items = append(items, itemsOf(line)...)
	}
	return items, next, nil
}

// nextLine returns a line and its length with the line feed. A line above
// the limit is returned as nil.
func nextLine(r *bufio.Reader) (line []byte, n int64, err error) {
	for {
		part, err := r.ReadSlice('\n')
		n += int64(len(part))
		if n <= lineLimit {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case err != nil:
			return nil, n, err
		case n > lineLimit:
			return nil, n, nil
		default:
			return line, n, nil
		}
	}
}

// Output makes a tool's output an entry's: cut to the limit, and clean.
func Output(text string) string { return session.Clean(limited(text)) }

// Whole makes what went into a tool an entry's: its title, and below that what
// the detail says beside it.
func Whole(title, detail string) string {
	first, rest, several := strings.Cut(detail, "\n")
	switch {
	case !several:
		return title // an argument with its name, or the title itself
	case first == title:
		return limited(title + "\n" + rest)
	}
	return limited(title + "\n" + detail)
}

// limited returns a text cut to the limit.
func limited(text string) string {
	if len(text) > partLimit {
		return strings.ToValidUTF8(text[:partLimit], "") + "\n…"
	}
	return text
}
