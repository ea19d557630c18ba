package threads

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"aside/session"
)

// filesAge is how long a list of files is good for: while a path is typed.
const filesAge = 5 * time.Second

// listings remembers the files of the folder that was asked for last.
type listings struct {
	mu    sync.Mutex
	dir   string
	at    time.Time
	names []name
}

// name is a path that can be completed.
type name struct {
	path  string
	lower string // without case
	base  int    // where the last element of lower begins
	fresh bool   // changed since it was committed
}

func newName(path string) name {
	lower := strings.ToLower(path)
	return name{path: path, lower: lower, base: strings.LastIndexByte(lower, '/') + 1}
}

// Files returns the files of a thread's checkout that fit what was typed of a
// path, the best first. Paths are from the folder that its agent runs in.
//
// Of those that fit as well, the ones that were changed come first, the newest
// before the others.
func (s *Service) Files(ctx context.Context, id session.ThreadID, typed string, limit int) ([]string, error) {
	t, err := s.o.Store.Thread(ctx, id)
	if err != nil {
		return nil, err
	}
	from := t.Cwd
	if from == "" {
		from = t.Project
	}
	return s.FilesIn(ctx, from, typed, limit)
}

// FilesIn is Files for a folder.
func (s *Service) FilesIn(ctx context.Context, from, typed string, limit int) ([]string, error) {
	l := &s.listings
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.dir != from || s.o.Now().Sub(l.at) >= filesAge {
		paths, fresh, err := s.o.Git.Files(ctx, from)
		if err != nil {
			return nil, err
		}
		names := make([]name, len(paths))
		for i, p := range paths {
			names[i] = newName(p)
			names[i].fresh = i < fresh
		}
		l.dir, l.at, l.names = from, s.o.Now(), names
	}
	return best(l.names, typed, limit), nil
}

// fit is how well a path fits what was typed; less is better.
type fit struct {
	grade int // how it fits
	stale int // its place among what was changed, or behind all of that
	loose int // characters between those that fit
	long  int
	at    int // its place in the list
}

// The grades, the best first.
const (
	fitsWhole     = iota // the last element is what was typed
	fitsBeginning        // it begins so
	fitsWord             // a word in it begins so
	fitsPart             // it holds it
	fitsPath             // the path holds it
	fitsLetters          // the last element holds the letters in their order
	fitsPathLetters
)

// best returns the paths that fit what was typed. Most of many are soon known
// not to be among the best, so they are not sorted.
func best(names []name, typed string, limit int) []string {
	typed = strings.ToLower(typed)
	order := func(a, b fit) int {
		if c := cmp.Or(a.grade-b.grade, a.stale-b.stale, a.loose-b.loose, a.long-b.long); c != 0 {
			return c
		}
		return strings.Compare(names[a.at].path, names[b.at].path)
	}
	var fits []fit // in order
	for i, n := range names {
		f, ok := n.fit(typed)
		if f.at, f.stale = i, i; !n.fresh {
			f.stale = len(names)
		}
		if !ok || len(fits) >= limit && (limit <= 0 || order(f, fits[limit-1]) > 0) {
			continue
		}
		at, _ := slices.BinarySearchFunc(fits, f, order)
		if fits = slices.Insert(fits, at, f); len(fits) > limit {
			fits = fits[:limit]
		}
	}
	var paths []string
	for _, f := range fits {
		paths = append(paths, names[f.at].path)
	}
	return paths
}

func (n name) fit(typed string) (fit, bool) {
	f := fit{long: len(n.lower)}
	last := n.lower[n.base:]
	at := strings.Index(last, typed)
	switch {
	case at == 0 && len(last) == len(typed):
		f.grade = fitsWhole
	case at == 0:
		f.grade = fitsBeginning
	case at > 0 && !letter(last[at-1]):
		f.grade = fitsWord
	case at > 0:
		f.grade = fitsPart
	case strings.Contains(n.lower, typed):
		f.grade = fitsPath
	default:
		var ok bool
		f.grade = fitsLetters
		if f.loose, ok = spread(last, typed); !ok {
			f.grade = fitsPathLetters
			f.loose, ok = spread(n.lower, typed)
		}
		return f, ok
	}
	return f, true
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c >= 0x80 }

// spread says whether s holds the bytes of what was typed in their order, and
// how many others are between them, looked for from the end.
func spread(s, typed string) (between int, ok bool) {
	end, i := -1, len(s)
	for j := len(typed) - 1; j >= 0; j-- {
		if i = strings.LastIndexByte(s[:i], typed[j]); i < 0 {
			return 0, false
		}
		if end < 0 {
			end = i
		}
	}
	return end - i + 1 - len(typed), true
}
