package claude

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"aside/hookbridge/wire"
	"aside/session"
	"aside/session/agent"
)

// settingsLimit is the most that a settings file may take, in bytes.
const settingsLimit = 8 << 20

// installation is aside's hooks in the person's settings file.
type installation struct {
	file string
	memo string // where is kept what the file was before
	want map[string]hook
}

// memo is what is remembered of a settings file that aside has changed, so
// that the change can be undone to the byte.
type memo struct {
	File      string `json:"file"`
	Missing   bool   `json:"missing,omitempty"`  // there was no file
	MadeDir   bool   `json:"made_dir,omitempty"` // nor its folder
	Before    []byte `json:"before,omitempty"`
	Installed string `json:"installed"` // the hash of what aside made of it
}

// hooksOf returns the hooks in the settings file of this user: the one in
// CLAUDE_CONFIG_DIR, else in ~/.claude.
func hooksOf(in agent.Installation) (agent.Hooks, error) {
	dir := os.Getenv("CLAUDE_CONFIG_DIR")
	if dir == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return nil, fmt.Errorf("find settings: %w", err)
		}
		dir = filepath.Join(home, ".claude")
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("find settings: %w", err)
	}
	file := filepath.Join(dir, "settings.json")
	name := "claude-" + hash([]byte(file))[:16] + ".json"
	return installation{file: file, memo: filepath.Join(in.State, "hooks", name), want: userHooks(in)}, nil
}

// Install implements agent.Hooks.
func (in installation) Install() (changed bool, err error) {
	_, missing := os.Lstat(filepath.Dir(in.file))
	if err := os.MkdirAll(filepath.Dir(in.file), 0o700); err != nil {
		return false, fmt.Errorf("make settings folder: %w", err)
	}
	unlock, err := wire.LockDir(filepath.Dir(in.file))
	if err != nil {
		return false, err
	}
	defer unlock()
	now, err := in.read()
	if err != nil {
		return false, err
	}
	text := now.text
	if now.missing {
		text = []byte("{}\n")
	}
	s, err := readSettings(text)
	if err != nil {
		return false, in.unusable(err.Error())
	}
	if s.complete(in.want) {
		return false, nil
	}
	m := memo{File: in.file, Missing: now.missing, MadeDir: missing != nil, Before: text}
	if len(s.installed()) > 0 {
		// Of an earlier aside: what has to come back is what was before it.
		m.Before = s.without()
		if earlier, ok := in.remembered(); ok && earlier.Installed == hash(text) {
			m = earlier
		}
		if s, err = readSettings(s.without()); err != nil {
			return false, in.unusable(err.Error())
		}
	}
	made, err := s.with(in.want)
	if err != nil {
		return false, err
	}
	m.Installed = hash(made)
	if err := in.remember(m); err != nil {
		return false, err
	}
	return true, in.write(now, made)
}

// Remove implements agent.Hooks.
func (in installation) Remove() (changed bool, err error) {
	if _, err := os.Lstat(in.file); errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	unlock, err := wire.LockDir(filepath.Dir(in.file))
	if err != nil {
		return false, err
	}
	defer unlock()
	now, err := in.read()
	if err != nil || now.missing {
		return false, err
	}
	s, err := readSettings(now.text)
	if err != nil {
		return false, in.unusable(err.Error())
	}
	changed, err = in.restore(now, s)
	if err == nil {
		_ = os.Remove(in.memo) // one that stays is of no file that has our hooks
	}
	return changed, err
}

// restore puts back what was there before the hooks, or, when that is not
// known any more, what is there beside them.
func (in installation) restore(now readFile, s settingsText) (changed bool, err error) {
	m, known := in.remembered()
	known = known && m.Installed == hash(now.text)
	switch {
	case !known && len(s.installed()) == 0:
		return false, nil
	case !known:
		return true, in.write(now, s.without())
	case !m.Missing:
		return true, in.write(now, m.Before)
	}
	if err := os.Remove(in.file); err != nil {
		return false, fmt.Errorf("remove settings: %w", err)
	}
	if m.MadeDir {
		_ = os.Remove(filepath.Dir(in.file)) // it stays if anything is in it
	}
	return true, nil
}

// Status implements agent.Hooks.
func (in installation) Status() (agent.HooksStatus, error) {
	st := agent.HooksStatus{File: in.file, Events: len(in.want)}
	now, err := in.read()
	if err != nil || now.missing {
		return st, err
	}
	s, err := readSettings(now.text)
	if err != nil {
		return st, in.unusable(err.Error())
	}
	for event, found := range s.installed() {
		if len(found) == 1 && found[0] == in.want[event] {
			st.Installed++
		} else {
			st.Other++
		}
	}
	return st, nil
}

// unusable is the fault of a settings file that is left as it is.
func (in installation) unusable(why string) error {
	return &session.Error{
		Code: session.CodeFailed, Message: fmt.Sprintf("the settings file %s was left as it is: %s", in.file, why),
		Hint: "correct it first",
	}
}

// readFile is a settings file as it was read.
type readFile struct {
	text    []byte
	info    fs.FileInfo
	missing bool
}

func (in installation) read() (readFile, error) {
	info, err := os.Lstat(in.file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return readFile{missing: true}, nil
	case err != nil:
		return readFile{}, fmt.Errorf("read settings: %w", err)
	case info.Mode().Type() == fs.ModeSymlink:
		target, _ := os.Readlink(in.file)
		return readFile{}, &session.Error{
			Code: session.CodeFailed, Message: fmt.Sprintf("the settings file %s was left as it is: it is a symbolic link to %s", in.file, session.MarkLine(target)),
			Hint: "put the file itself there for the time of the change, or set CLAUDE_CONFIG_DIR to the folder that holds it",
		}
	case !info.Mode().IsRegular():
		return readFile{}, in.unusable("it is not a regular file")
	case info.Size() > settingsLimit:
		return readFile{}, in.unusable("it is larger than 8 MiB")
	}
	f, err := os.OpenFile(in.file, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return readFile{}, fmt.Errorf("read settings: %w", err)
	}
	defer func() { _ = f.Close() }()
	text, err := io.ReadAll(io.LimitReader(f, settingsLimit+1))
	if err != nil {
		return readFile{}, fmt.Errorf("read settings: %w", err)
	}
	return readFile{text: text, info: info}, nil
}

// write replaces the settings file whole, unless somebody else, such as the
// agent itself, has changed it since it was read.
func (in installation) write(was readFile, text []byte) error {
	mode := fs.FileMode(0o600)
	if !was.missing {
		mode = was.info.Mode().Perm()
	}
	return replace(in.file, text, mode, func() error {
		now, err := in.read()
		if err == nil && (now.missing != was.missing || !bytes.Equal(now.text, was.text)) {
			err = &session.Error{
				Code: session.CodeFailed, Message: fmt.Sprintf("the settings file %s was changed by another program at the same time", in.file), Hint: "try again",
			}
		}
		return err
	})
}

// replace writes a file beside its place and moves it there, after a last
// check.
func replace(file string, text []byte, mode fs.FileMode, check func() error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(file), "."+filepath.Base(file)+".aside-*")
	if err != nil {
		return fmt.Errorf("write %s: %w", filepath.Base(file), err)
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name())
		}
	}()
	_, err = f.Write(text)
	err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
	if err == nil {
		err = check()
	}
	if err == nil {
		err = os.Rename(f.Name(), file)
	}
	var fault *session.Error
	if err != nil && !errors.As(err, &fault) {
		return fmt.Errorf("write %s: %w", filepath.Base(file), err)
	}
	return err
}

func (in installation) remember(m memo) error {
	text, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("remember settings: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(in.memo), 0o700); err != nil {
		return fmt.Errorf("remember settings: %w", err)
	}
	return replace(in.memo, text, 0o600, func() error { return nil })
}

// remembered returns what is remembered of the file; what cannot be read is
// as good as nothing, since the hooks can be taken out without it.
func (in installation) remembered() (memo, bool) {
	text, err := os.ReadFile(in.memo)
	if err != nil {
		return memo{}, false
	}
	var m memo
	err = json.Unmarshal(text, &m)
	return m, err == nil && m.File == in.file
}

func hash(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
