package threads

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"aside/session"
	"aside/session/transcript"
	"aside/worktree"
)

// exportStep is how many entries are written at once.
const exportStep = 1000

// Export is a thread's transcript on its way into a file of its own. It belongs
// to one goroutine at a time, and ends with a Step that says done or fails, or
// with Abandon.
type Export struct {
	store   Reading
	thread  session.ThreadID
	file    *os.File
	name    string // what it is to be called, without a number and its ending
	path    string // where it is when it is whole
	last    int64  // the entry that was written last
	written int
	all     int
}

// Export begins to write a thread's transcript as Markdown. The file is new,
// named after the thread and the day, in the folder of exports: a checkout is
// no place for it, where an agent would find and commit it. It has its name
// when it is whole.
func (s *Service) Export(ctx context.Context, id session.ThreadID) (*Export, error) {
	t, err := s.o.Store.Thread(ctx, id)
	if err != nil {
		return nil, err
	}
	e := &Export{store: s.o.Store, thread: id, name: worktree.Slug(t.Title) + "-" + s.o.Now().Format(time.DateOnly)}
	if e.all, _, err = s.o.Store.CountEntries(ctx, id, 0); err != nil {
		return nil, err
	}
	folder := s.o.Paths.Exports()
	if err = os.MkdirAll(folder, 0o700); err == nil {
		e.file, err = os.CreateTemp(folder, e.name+"-*.part")
	}
	if err != nil {
		return nil, fmt.Errorf("make the file for the transcript: %w", err)
	}
	if err := e.write(transcript.Heading(t.Title)); err != nil {
		return nil, err
	}
	return e, nil
}

// reserve makes an empty file that was not there, with a number in its name if
// need be, and returns its path.
func reserve(folder, name string) (string, error) {
	for n := 1; ; n++ {
		number := ""
		if n > 1 {
			number = "-" + strconv.Itoa(n)
		}
		f, err := os.OpenFile(filepath.Join(folder, name+number+".md"), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		switch {
		case errors.Is(err, fs.ErrExist):
		case err != nil:
			return "", err
		default:
			return f.Name(), f.Close()
		}
	}
}

// Path is where the file is once it is whole.
func (e *Export) Path() string { return e.path }

// Written returns how many entries are in the file, and how many there were to
// write when it was begun.
func (e *Export) Written() (entries, all int) { return e.written, e.all }

// Step writes the next part; done says that the file is whole. After an error
// there is no file.
func (e *Export) Step(ctx context.Context) (done bool, err error) {
	entries, err := e.store.EntriesAfter(ctx, e.thread, e.last, exportStep)
	if err != nil {
		return false, errors.Join(err, e.Abandon())
	}
	if err := e.write(transcript.Section(entries)); err != nil {
		return false, err
	}
	e.written += len(entries)
	if len(entries) == exportStep {
		e.last = entries[exportStep-1].ID
		return false, nil
	}
	if err := e.publish(); err != nil {
		return false, errors.Join(e.fault(err), os.Remove(e.file.Name()))
	}
	return true, nil
}

// publish gives the file its name, which no file had before.
func (e *Export) publish() error {
	if err := e.file.Close(); err != nil {
		return err
	}
	path, err := reserve(filepath.Dir(e.file.Name()), e.name)
	if err != nil {
		return err
	}
	if err := os.Rename(e.file.Name(), path); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	e.path = path
	return nil
}

func (e *Export) write(text string) error {
	if _, err := e.file.WriteString(text); err != nil {
		return errors.Join(e.fault(err), e.Abandon())
	}
	return nil
}

func (e *Export) fault(err error) error {
	return &session.Error{Code: session.CodeFailed, Message: "the transcript could not be written to " + filepath.Dir(e.file.Name()), Hint: err.Error(), Cause: err}
}

// Abandon takes the file away.
func (e *Export) Abandon() error {
	return errors.Join(e.file.Close(), os.Remove(e.file.Name()))
}
