package actions

import (
	"errors"
	"fmt"
	"path"
	"strings"
	"unicode"
)

// Subcommand is the word behind the program in an invocation.
const Subcommand = "propose-terminal-actions"

// MaxPayload is the most that a payload may take, in bytes.
const MaxPayload = 8192

// Invocation is the command by which an agent proposes terminal actions.
type Invocation struct {
	Program string // absolute path of aside
	Channel Channel
	Payload string // compact JSON
}

// String returns the canonical form: the only one that is let through.
func (i Invocation) String() string {
	return i.Program + " " + Subcommand + " --channel " + string(i.Channel) + " --payload-json '" + i.Payload + "'"
}

// Callable says that every shell reads the program's path as the one word
// that it is. Where it is not, no channel is of use.
func Callable(program string) bool {
	const safe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+"
	return path.IsAbs(program) && strings.Trim(program, safe) == "" && path.Clean(program) == program
}

// Likeness is how far a command is an invocation.
type Likeness int

// The likenesses.
const (
	Other     Likeness = iota // not this command
	Near                      // this command in another form
	Canonical                 // exactly the canonical form
)

// Recognition is what Recognise found.
type Recognition struct {
	Likeness   Likeness
	Invocation Invocation // Canonical: what it says; Near: as much as could be made out
	Reason     string     // Near: what is wrong, a sentence without full stop
}

// Recognise reads a command line that an agent wants to run. It parses, makes
// the canonical form of what it read, and compares the bytes: whatever a
// shell would read differently is not canonical. Only a command that is
// recognisably meant to be an invocation is Near.
func Recognise(program, command string) Recognition {
	if in, err := read(program, command); err == nil {
		if in.String() == command && Callable(program) {
			return Recognition{Likeness: Canonical, Invocation: in}
		}
		return Recognition{Likeness: Near, Invocation: in, Reason: "it is not in the canonical form"}
	} else if meant(program, command) {
		return Recognition{Likeness: Near, Invocation: guess(program, command), Reason: err.Error()}
	}
	return Recognition{}
}

// read takes a command apart as the canonical form has it. The payload of
// what it returns is in compact form, so that another spelling shows in the
// comparison.
func read(program, command string) (Invocation, error) {
	rest, ok := strings.CutPrefix(command, program+" "+Subcommand+" --channel ")
	if !ok {
		return Invocation{}, fmt.Errorf("it does not begin with exactly %s %s --channel", program, Subcommand)
	}
	if len(rest) < channelLength {
		return Invocation{}, errors.New("the channel is not complete")
	}
	in := Invocation{Program: program, Channel: Channel(rest[:channelLength])}
	if _, ok := in.Channel.Helper(); !ok {
		return Invocation{}, errors.New("the channel is malformed")
	}
	payload, ok := strings.CutPrefix(rest[channelLength:], " --payload-json '")
	if !ok {
		return Invocation{}, errors.New("the channel is not followed by exactly --payload-json and a quoted payload")
	}
	payload, ok = strings.CutSuffix(payload, "'")
	switch {
	case !ok:
		return Invocation{}, errors.New("something follows the payload, or its quote is missing")
	case len(payload) > MaxPayload:
		return Invocation{}, fmt.Errorf("the payload takes %d bytes, %d are the limit", len(payload), MaxPayload)
	}
	for i := 0; i < len(payload); i++ {
		if c := payload[i]; c < 0x20 || c >= 0x7f || c == '\'' {
			return Invocation{}, fmt.Errorf(`the payload holds byte 0x%02x; it has to be printable ASCII without a single quote: write other characters as \uXXXX`, c)
		}
	}
	v, err := parse(payload)
	if err != nil {
		return Invocation{}, err
	}
	if v.kind != '{' {
		return Invocation{}, errors.New("the payload is no JSON object")
	}
	in.Payload = v.compact()
	if in.Payload != payload {
		return Invocation{}, errors.New("the payload is not compact JSON: no white space between tokens, and escapes only where they are needed, in lower case")
	}
	return in, nil
}

// meant says that a command is recognisably an invocation in another form:
// the subcommand behind the program, or with one of its flags. Quotes and
// backslashes do not hide it.
func meant(program, command string) bool {
	const marks = "'\"\\"
	bare := strings.Map(func(r rune) rune {
		if strings.ContainsRune(marks, r) {
			return -1
		}
		return r
	}, command)
	words := strings.FieldsFunc(bare, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(";&|()<>`$,=", r)
	})
	named, flagged := false, false
	for i, w := range words {
		if w == Subcommand {
			named = true
			if i > 0 {
				last := path.Base(words[i-1])
				flagged = flagged || last == path.Base(program) || last == "aside"
			}
		}
		flagged = flagged || strings.HasPrefix(w, "--channel") || strings.HasPrefix(w, "--payload-json")
	}
	return named && flagged
}

// guess makes out the channel and the payload of a command in another form,
// so that a denial can say how to write it.
func guess(program, command string) Invocation {
	in := Invocation{Program: program}
	for at := strings.Index(command, channelPrefix); at >= 0; {
		if len(command) < at+channelLength {
			break
		}
		if c := Channel(command[at : at+channelLength]); in.Channel == "" {
			if _, ok := c.Helper(); ok {
				in.Channel = c
			}
		}
		next := strings.Index(command[at+1:], channelPrefix)
		if next < 0 {
			break
		}
		at += 1 + next
	}
	from, to := strings.IndexByte(command, '{'), strings.LastIndexByte(command, '}')
	if from < 0 || to < from || to-from > 4*MaxPayload {
		return in
	}
	for _, text := range [...]string{command[from : to+1], strings.ReplaceAll(command[from:to+1], `'\''`, "'")} {
		if v, err := parse(text); err == nil {
			if p := v.compact(); len(p) <= MaxPayload {
				in.Payload = p
			}
		}
	}
	return in
}
