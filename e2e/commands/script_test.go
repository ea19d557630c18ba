package commands

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// A script is a txtar archive: its comment holds commands, one a line, and its
// files are there before the first runs. Words are parted by spaces; single
// quotes keep a word together, and $NAME outside of them is expanded. A line
// that begins with # is a comment.
//
//	aside ARGUMENT...     runs aside, which has to succeed
//	fails N aside ...     runs aside, which has to end with status N, with
//	                      nothing on standard output and one sentence and at
//	                      most one hint on standard error
//	until 'RE' aside ...  runs aside again and again until its output matches
//	[!] stdout 'RE'       the last output (does not) match
//	[!] stderr 'RE'
//	save NAME             keeps the last output, trimmed, as a variable
//	stdin FILE            the standard input of the next command
//	env NAME=VALUE
//	cd FOLDER
//	sh 'COMMANDS'         has to succeed; its output is the last output
//	repository FOLDER     makes a Git repository with one commit
func TestScripts(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			s := &script{t: t, place: newPlace(t)}
			s.cwd = s.dir
			commands := s.unpack(string(text))
			for i, line := range strings.Split(commands, "\n") {
				words, err := s.words(line)
				if err == nil && len(words) > 0 {
					err = s.do(words)
				}
				if err != nil {
					t.Fatalf("%s:%d: %s\n%v\nstdout:\n%s\nstderr:\n%s", file, i+1, line, err, s.stdout, s.stderr)
				}
			}
		})
	}
}

type script struct {
	t *testing.T
	*place
	cwd            string
	input          []byte
	stdout, stderr string
	status         int
}

var fileHead = regexp.MustCompile(`(?m)^-- (.+) --\n`)

// unpack writes the files of an archive and returns its comment.
func (s *script) unpack(text string) (comment string) {
	s.t.Helper()
	heads := fileHead.FindAllStringSubmatchIndex(text, -1)
	comment = text
	for i, h := range heads {
		if i == 0 {
			comment = text[:h[0]]
		}
		end := len(text)
		if i+1 < len(heads) {
			end = heads[i+1][0]
		}
		s.write(s.t, text[h[2]:h[3]], text[h[1]:end])
	}
	return comment
}

func (s *script) words(line string) ([]string, error) {
	var words []string
	var word strings.Builder
	inWord := false
	for line = strings.TrimSpace(line); line != ""; {
		switch line[0] {
		case '#':
			if !inWord {
				return words, nil
			}
			fallthrough
		default:
			n := len(line)
			if i := strings.IndexAny(line[1:], " \t'"); i >= 0 {
				n = i + 1
			}
			word.WriteString(os.Expand(line[:n], func(name string) string { return s.env[name] }))
			inWord, line = true, line[n:]
		case '\'':
			quoted, rest, ok := strings.Cut(line[1:], "'")
			if !ok {
				return nil, errors.New("a quote does not end")
			}
			word.WriteString(quoted)
			inWord, line = true, rest
		case ' ', '\t':
			words = append(words, word.String())
			word.Reset()
			inWord, line = false, strings.TrimLeft(line, " \t")
		}
	}
	if inWord {
		words = append(words, word.String())
	}
	return words, nil
}

func (s *script) do(words []string) error {
	args := words[1:]
	switch words[0] {
	case "aside":
		return s.expect(0, words)
	case "fails":
		return s.fails(args)
	case "until":
		return s.until(args)
	case "!":
		if s.match(args) == nil {
			return errors.New("it does match")
		}
		return nil
	case "stdout", "stderr":
		return s.match(words)
	case "save":
		s.env[args[0]] = strings.TrimSpace(s.stdout)
		return nil
	case "stdin":
		b, err := os.ReadFile(filepath.Join(s.cwd, args[0]))
		s.input = b
		return err
	case "env":
		name, value, _ := strings.Cut(args[0], "=")
		s.env[name] = value
		return nil
	case "cd":
		s.cwd = filepath.Join(s.dir, args[0])
		return nil
	case "sh":
		return s.expect(0, []string{"/bin/sh", "-euc", args[0]})
	case "repository":
		return s.expect(0, []string{
			"/bin/sh", "-euc",
			`git init -q -b main "$1"; cd "$1"; echo one > one; git add one; git commit -qm one`, "sh", args[0],
		})
	}
	return fmt.Errorf("there is no command %s", words[0])
}

func (s *script) exec(words []string) error {
	cmd := s.command(s.t, words[0], words[1:]...)
	cmd.Dir = s.cwd
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(s.input), &out, &errs
	s.input = nil
	err := cmd.Run()
	s.stdout, s.stderr, s.status = out.String(), errs.String(), cmd.ProcessState.ExitCode()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return err
	}
	return nil
}

func (s *script) expect(status int, words []string) error {
	if err := s.exec(words); err != nil {
		return err
	}
	if s.status != status {
		return fmt.Errorf("it ended with status %d, not %d", s.status, status)
	}
	return nil
}

// complaint is how every fault is told.
var complaint = regexp.MustCompile(`^aside: [^\n]+\n(hint: [^\n]+\n)?$`)

func (s *script) fails(args []string) error {
	status, err := strconv.Atoi(args[0])
	if err != nil {
		return err
	}
	if err := s.expect(status, args[1:]); err != nil {
		return err
	}
	if s.stdout != "" || !complaint.MatchString(s.stderr) {
		return errors.New("a fault is one sentence and perhaps a hint, on standard error alone")
	}
	return nil
}

// until asks again and again: the other processes announce nothing here.
func (s *script) until(args []string) error {
	re, err := regexp.Compile("(?m)" + args[0])
	if err != nil {
		return err
	}
	s.place.until(s.t, strings.Join(args, " "), func() bool {
		err = s.exec(args[1:])
		return err != nil || s.status == 0 && re.MatchString(s.stdout)
	})
	return err
}

func (s *script) match(args []string) error {
	re, err := regexp.Compile("(?m)" + args[1])
	if err != nil {
		return err
	}
	text := s.stdout
	if args[0] == "stderr" {
		text = s.stderr
	}
	if !re.MatchString(text) {
		return fmt.Errorf("%s does not match", args[0])
	}
	return nil
}
