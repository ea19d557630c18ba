package git

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"aside/worktree"
)

const (
	fileLines = 5000   // lines of a file that are kept
	diffLines = 50_000 // lines of a diff that are kept
	lineBytes = 2000   // bytes of a line that are kept
)

// parser reads the output of git diff --raw --patch (git-diff(1), Raw output
// format and Generating patch text). The raw part names the files; the patch
// has their hunks in the same order, so that no name is read from it.
type parser struct {
	rest []byte
	kept int // lines of the diff
	file int // lines of the file
}

func parseDiff(out []byte) ([]worktree.FileDiff, error) {
	p := &parser{rest: out}
	var all []worktree.FileDiff
	for p.at(":") {
		f, err := parseRaw(string(p.line()))
		if err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	for i := range all {
		f := &all[i]
		p.file = 0
		sections := 1
		switch f.Status {
		case worktree.FileRetyped:
			sections = 2 // the old one goes, the new one comes
		case worktree.FileUnmerged:
			sections = 0
		}
		for range sections {
			if err := p.section(f); err != nil {
				return nil, fmt.Errorf("read diff of %s: %w", plain(f.Path), err)
			}
		}
	}
	return all, nil
}

func (p *parser) at(prefix string) bool { return bytes.HasPrefix(p.rest, []byte(prefix)) }

// line takes the next line, without its line feed.
func (p *parser) line() []byte {
	line, rest, _ := bytes.Cut(p.rest, []byte("\n"))
	p.rest = rest
	return line
}

// parseRaw reads a line of the raw part:
// ":100644 100755 <object> <object> R086\told\tnew".
func parseRaw(line string) (worktree.FileDiff, error) {
	var f worktree.FileDiff
	head, paths, ok := strings.Cut(line, "\t")
	fields := strings.Fields(strings.TrimPrefix(head, ":"))
	if !ok || len(fields) != 5 {
		return f, fmt.Errorf("read diff: %q is no entry", plain(line))
	}
	f.OldMode, f.NewMode = mode(fields[0]), mode(fields[1])
	switch fields[4][0] {
	case 'A':
		f.Status = worktree.FileAdded
	case 'D':
		f.Status = worktree.FileDeleted
	case 'R':
		f.Status = worktree.FileRenamed
	case 'T':
		f.Status = worktree.FileRetyped
	case 'U':
		f.Status = worktree.FileUnmerged
	default:
		f.Status = worktree.FileModified
	}
	f.Path = unquote(paths)
	if old, path, ok := strings.Cut(paths, "\t"); ok {
		f.Old, f.Path = unquote(old), unquote(path)
	}
	return f, nil
}

// mode returns a mode of the raw part, and of none "".
func mode(s string) string {
	if strings.Trim(s, "0") == "" {
		return ""
	}
	return s
}

// unquote reads a path as Git writes it: in quotes, with escapes, where it
// holds what is not plain (git-config(1), core.quotePath).
func unquote(s string) string {
	if path, err := strconv.Unquote(s); err == nil && strings.HasPrefix(s, `"`) {
		return path
	}
	return s
}

// section reads the patch of one file, if it is there: the lines from one
// "diff --git" up to the next.
func (p *parser) section(f *worktree.FileDiff) error {
	for !p.at("diff --git ") {
		if len(p.rest) == 0 {
			return nil
		}
		p.line() // what belongs to no file, such as the end of the raw part
	}
	p.line()
	for len(p.rest) > 0 && !p.at("diff --git ") {
		switch {
		case p.at("@@ "):
			if err := p.hunk(f); err != nil {
				return err
			}
			continue
		case p.at("Binary files "):
			f.Binary = true
		}
		p.line()
	}
	return nil
}

// hunk reads a hunk, by the numbers of lines that its header gives. Lines
// above the limits are counted only.
func (p *parser) hunk(f *worktree.FileDiff) error {
	header := string(p.line())
	var h side
	if err := h.parse(header); err != nil {
		return err
	}
	hunk := worktree.Hunk{Header: text([]byte(header), lineBytes)}
	for h.oldLeft > 0 || h.newLeft > 0 || p.at(`\`) {
		if len(p.rest) == 0 {
			return fmt.Errorf("hunk %q has no end", plain(header))
		}
		raw := p.line()
		if len(raw) > 0 && raw[0] == '\\' { // "\ No newline at end of file"
			if n := len(hunk.Lines); n > 0 && !f.Cut {
				hunk.Lines[n-1].Open = true
			}
			continue
		}
		line, err := h.take(raw)
		if err != nil {
			return err
		}
		if p.count(f, line.Kind); !f.Cut {
			hunk.Lines = append(hunk.Lines, line)
		}
	}
	if len(hunk.Lines) > 0 {
		f.Hunks = append(f.Hunks, hunk)
	}
	return nil
}

// count counts a line of a file, and says in f.Cut whether it is kept.
func (p *parser) count(f *worktree.FileDiff, kind worktree.LineKind) {
	switch kind {
	case worktree.LineAdded:
		f.Added++
	case worktree.LineDeleted:
		f.Deleted++
	}
	if f.Cut = f.Cut || p.kept == diffLines || p.file == fileLines; !f.Cut {
		p.kept++
		p.file++
	}
}

// side is where in a hunk both of its sides are.
type side struct{ old, oldLeft, new, newLeft int }

// parse reads "@@ -from,count +from,count @@ …"; a count of 1 is left out.
func (s *side) parse(header string) error {
	fields := strings.SplitN(header, " ", 4)
	if len(fields) == 4 {
		var ok1, ok2 bool
		s.old, s.oldLeft, ok1 = lineRange(fields[1], "-")
		s.new, s.newLeft, ok2 = lineRange(fields[2], "+")
		if ok1 && ok2 && strings.HasPrefix(fields[3], "@@") {
			return nil
		}
	}
	return fmt.Errorf("%q is no hunk", plain(header))
}

func lineRange(s, sign string) (from, count int, ok bool) {
	s, ok = strings.CutPrefix(s, sign)
	first, n, many := strings.Cut(s, ",")
	from, err := strconv.Atoi(first)
	count = 1
	if many && err == nil {
		count, err = strconv.Atoi(n)
	}
	return from, count, ok && err == nil
}

// take returns the next line of the hunk.
func (s *side) take(raw []byte) (worktree.Line, error) {
	if len(raw) == 0 {
		raw = []byte(" ")
	}
	l := worktree.Line{Kind: worktree.LineKind(raw[:1]), Text: text(raw[1:], lineBytes), Cut: len(raw)-1 > lineBytes}
	switch l.Kind {
	case worktree.LineContext:
		l.Old, l.New = s.old, s.new
	case worktree.LineAdded:
		l.New = s.new
	case worktree.LineDeleted:
		l.Old = s.old
	default:
		return l, fmt.Errorf("%q is no line of a hunk", plain(string(raw)))
	}
	if l.Old > 0 {
		s.old, s.oldLeft = s.old+1, s.oldLeft-1
	}
	if l.New > 0 {
		s.new, s.newLeft = s.new+1, s.newLeft-1
	}
	return l, nil
}

// text returns the beginning of a line as valid UTF-8.
func text(b []byte, most int) string {
	if len(b) > most {
		for most > 0 && !utf8.RuneStart(b[most]) {
			most--
		}
		b = b[:most]
	}
	return strings.ToValidUTF8(string(b), "\ufffd")
}
