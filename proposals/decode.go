package proposals

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"aside/session"

	"github.com/clipperhouse/uax29/v2/graphemes"
)

// The limits of the tool's arguments (contracts/proposed-threads.md, The
// tool). Characters are grapheme clusters.
const (
	titleMax   = 80       // characters
	textMax    = 400      // characters of summary and rationale, each
	promptMax  = 64 << 10 // bytes
	filesMax   = 200      // paths
	pathMax    = 200      // characters of one path
	rawMax     = 1 << 20  // bytes of the arguments as they came
	clusterMax = 32       // bytes per character, on average, that a text may take
	callIDMax  = 200      // bytes
)

// Offer holds the tool's arguments as the card draws them.
type Offer struct {
	Title     string   `json:"title"`
	Summary   string   `json:"summary"`
	Rationale string   `json:"rationale,omitempty"`
	Prompt    string   `json:"prompt"` // verbatim; the card shows it through session.Mark
	Files     []string `json:"files,omitempty"`
}

// ArgumentError says which argument is wrong and how.
type ArgumentError struct {
	Field   string // the argument's name, or "arguments" for all of them
	Problem string // goes on the sentence that the name begins
}

func (e *ArgumentError) Error() string { return e.Field + " " + e.Problem }

// Decode reads the arguments of propose_thread, from the tool, from standard
// input or from the store: one decoder, so that what the card would not draw
// is never reported as offered. Texts come back sanitised and cut, the prompt
// only trimmed. An error is an *ArgumentError. Decoding what Arguments made
// of a result gives the same result.
func Decode(raw json.RawMessage) (Offer, error) {
	fields, err := object(raw)
	if err != nil {
		return Offer{}, err
	}
	var o Offer
	if o.Title, err = line(fields, "title", titleMax); err != nil {
		return Offer{}, err
	}
	if o.Summary, err = line(fields, "summary", textMax); err != nil {
		return Offer{}, err
	}
	if o.Rationale, err = optionalLine(fields, "rationale", textMax); err != nil {
		return Offer{}, err
	}
	if o.Prompt, err = prompt(fields); err != nil {
		return Offer{}, err
	}
	if o.Files, err = files(fields); err != nil {
		return Offer{}, err
	}
	return o, nil
}

// Proposal returns the standing proposal that the offer is when it is made by
// the call of the thread.
func (o Offer) Proposal(thread session.ThreadID, callID string, at time.Time) session.Proposal {
	return session.Proposal{
		ID: session.NewProposalID(thread, callID), Thread: thread, CallID: callID,
		Title: o.Title, Summary: o.Summary, Rationale: o.Rationale, Prompt: o.Prompt, Files: o.Files,
		State: session.ProposalStanding, OfferedAt: at,
	}
}

// Arguments returns the arguments that p was offered with, for the store.
func Arguments(p session.Proposal) (json.RawMessage, error) {
	return json.Marshal(Offer{p.Title, p.Summary, p.Rationale, p.Prompt, p.Files})
}

// FoldKey returns what is the same for two offers that are the same offer:
// title and prompt, apart from white space and case.
func FoldKey(title, prompt string) string {
	return fold(title) + "\x00" + fold(prompt)
}

func fold(s string) string {
	return strings.Join(strings.Fields(strings.ToLower(strings.ToUpper(s))), " ")
}

// titleFrom makes the title of a thread from its prompt: the first line that
// is not blank, cut to titleMax.
func titleFrom(prompt string) string {
	for l := range strings.Lines(prompt) {
		if l = session.CleanLine(l); l != "" {
			return cut(l, titleMax)
		}
	}
	return "Untitled"
}

// object splits the arguments into their fields. A field given twice is
// refused: readers of JSON differ in which of the two counts.
func object(raw []byte) (map[string]json.RawMessage, error) {
	if len(raw) > rawMax {
		return nil, &ArgumentError{"arguments", fmt.Sprintf("take more than %d KiB", rawMax>>10)}
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil, &ArgumentError{"arguments", "must be a JSON object"}
	}
	fields := map[string]json.RawMessage{}
	for dec.More() {
		name, value, err := field(dec)
		if err != nil {
			return nil, err
		}
		if _, twice := fields[name]; twice {
			return nil, &ArgumentError{fieldName(name), "is given twice"}
		}
		fields[name] = value
	}
	if _, err := dec.Token(); err != nil {
		return nil, notJSON()
	}
	if len(bytes.TrimSpace(raw[dec.InputOffset():])) > 0 {
		return nil, &ArgumentError{"arguments", "must be one JSON object with nothing behind it"}
	}
	return fields, nil
}

func field(dec *json.Decoder) (string, json.RawMessage, error) {
	t, err := dec.Token()
	if err != nil {
		return "", nil, notJSON()
	}
	name, _ := t.(string) // More said that there is a key, and a key is a string
	var value json.RawMessage
	if err := dec.Decode(&value); err != nil {
		return "", nil, notJSON()
	}
	if !utf8.Valid(value) || loneSurrogate(value) {
		return "", nil, &ArgumentError{fieldName(name), "is not valid Unicode text"}
	}
	return name, value, nil
}

func notJSON() error { return &ArgumentError{"arguments", "are not valid JSON"} }

// fieldName makes a name that came with the arguments fit for a message.
func fieldName(name string) string {
	if name = session.CleanLine(name); name == "" {
		return "arguments"
	}
	return cut(name, 40)
}

// loneSurrogate says that a JSON value spells half a character as \ud800 or
// its like. The decoder would put U+FFFD there, and the prompt would not be
// what was offered.
func loneSurrogate(value []byte) bool {
	for i := 0; i < len(value); i++ {
		if value[i] != '\\' {
			continue
		}
		i++ // now at the character escaped
		if !surrogate(value[i:], 'd', '8', 'b') {
			if surrogate(value[i:], 'd', 'c', 'f') {
				return true
			}
			continue
		}
		i += 5 // now behind uXXXX
		if i+1 >= len(value) || value[i] != '\\' || !surrogate(value[i+1:], 'd', 'c', 'f') {
			return true
		}
		i += 5
	}
	return false
}

// surrogate says that s begins with u, the digit first and a second digit
// from low to high.
func surrogate(s []byte, first, low, high byte) bool {
	return len(s) >= 5 && s[0] == 'u' && s[1]|0x20 == first && s[2]|0x20 >= low|0x20 && s[2]|0x20 <= high|0x20
}

// text returns the string of a field; given is false when it is absent or
// null.
func text(fields map[string]json.RawMessage, name string) (s string, given bool, err error) {
	raw, ok := fields[name]
	if !ok || string(raw) == "null" {
		return "", false, nil
	}
	if err := json.Unmarshal(raw, &s); err != nil {
		return "", false, &ArgumentError{name, "must be a string"}
	}
	return s, true, nil
}

func required(fields map[string]json.RawMessage, name string) (string, error) {
	s, given, err := text(fields, name)
	if err == nil && !given {
		err = &ArgumentError{name, "is missing"}
	}
	return s, err
}

func line(fields map[string]json.RawMessage, name string, most int) (string, error) {
	s, err := required(fields, name)
	if err != nil {
		return "", err
	}
	if s = oneLine(s, most); s == "" {
		return "", &ArgumentError{name, "is blank"}
	}
	return s, nil
}

func optionalLine(fields map[string]json.RawMessage, name string, most int) (string, error) {
	s, _, err := text(fields, name)
	return oneLine(s, most), err
}

func oneLine(s string, most int) string { return cut(session.CleanLine(s), most) }

func prompt(fields map[string]json.RawMessage) (string, error) {
	s, err := required(fields, "prompt")
	if err != nil {
		return "", err
	}
	s = strings.TrimSpace(s)
	if problem := promptProblem(s); problem != "" {
		return "", &ArgumentError{"prompt", problem}
	}
	if len(s) > promptMax {
		return "", &ArgumentError{"prompt", fmt.Sprintf("takes %d bytes, and at most %d are possible", len(s), promptMax)}
	}
	return s, nil
}

// pastedMax is how many bytes of a prompt a person can send to an agent at
// work, which gets it as a paste: it is half of what a message of the wire
// takes, since the agent's receipt brings it back with escapes.
const pastedMax = 512 << 10

// handedMax is how many bytes of a prompt a person can hand to an agent: many
// agents take their first prompt as an argument, and no system's limit for one
// argument is below 128 KiB.
const handedMax = 100 << 10

// CheckPrompt says, as a session.Error of CodeUsage, why no agent can be given
// the prompt; nil when one can.
func CheckPrompt(s string) error { return checkPrompt(s, handedMax) }

// CheckPasted is CheckPrompt for a prompt to an agent at work.
func CheckPasted(s string) error { return checkPrompt(s, pastedMax) }

func checkPrompt(s string, most int) error {
	if len(s) > most {
		return &session.Error{
			Code:    session.CodeUsage,
			Message: fmt.Sprintf("the prompt takes %d bytes, and an agent can be handed at most %d", len(s), most),
			Hint:    "put it in a file, and give a prompt that names the file",
		}
	}
	if problem := promptProblem(s); problem != "" {
		return &session.Error{Code: session.CodeUsage, Message: "the prompt " + problem}
	}
	return nil
}

// promptProblem says why no agent can be given the prompt, "" when one can.
func promptProblem(s string) string {
	switch {
	case strings.TrimSpace(s) == "":
		return "is blank"
	case !utf8.ValidString(s):
		return "is not valid Unicode text"
	case strings.ContainsRune(s, 0):
		return "contains a NUL character, which cannot be handed to a program"
	}
	return ""
}

func files(fields map[string]json.RawMessage) ([]string, error) {
	raw, ok := fields["files"]
	if !ok || string(raw) == "null" {
		return nil, nil
	}
	var items []json.RawMessage
	if err := json.Unmarshal(raw, &items); err != nil {
		return nil, &ArgumentError{"files", "must be a list of paths"}
	}
	var paths []string
	seen := map[string]bool{}
	for _, item := range items {
		var path string
		if item[0] != '"' || json.Unmarshal(item, &path) != nil {
			continue
		}
		if path = oneLine(path, pathMax); path == "" || seen[path] {
			continue
		}
		seen[path] = true
		if paths = append(paths, path); len(paths) == filesMax {
			break
		}
	}
	return paths, nil
}

// cut returns s with at most so many characters, the last one … when
// something is missing. A character can hold any number of combining marks,
// so the bytes are bounded as well.
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	const ellipsis = "…"
	room := most*clusterMax - len(ellipsis)
	keep, n := 0, 0
	for g := graphemes.FromString(s); g.Next(); n++ {
		if n == most || g.End() > room && len(s) > room+len(ellipsis) {
			return endCut(s, keep, room) + ellipsis
		}
		if n < most-1 && g.End() <= room {
			keep = g.End()
		}
	}
	return s
}

// endCut returns the first keep bytes of s without white space at the end.
// When not even the first character fits, it is cut within.
func endCut(s string, keep, room int) string {
	if keep == 0 {
		for keep = room; !utf8.RuneStart(s[keep]); keep-- {
		}
	}
	return session.CleanLine(s[:keep])
}
