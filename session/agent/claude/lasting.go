package claude

import (
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"aside/session"
)

// suggestion is one change of the permissions that the agent itself
// suggests with a request.
type suggestion struct {
	Type        string   `json:"type"`
	Rules       []rule   `json:"rules"`
	Behavior    string   `json:"behavior"`
	Directories []string `json:"directories"`
	Mode        string   `json:"mode"`
	Destination string   `json:"destination"`
}

type rule struct {
	ToolName    string `json:"toolName"`
	RuleContent string `json:"ruleContent,omitempty"`
}

// update is a change of the permissions as the verdict carries it.
type update struct {
	Type        string   `json:"type"`
	Rules       []rule   `json:"rules,omitempty"`
	Behavior    string   `json:"behavior,omitempty"`
	Directories []string `json:"directories,omitempty"`
	Mode        string   `json:"mode,omitempty"`
	Destination string   `json:"destination"`
}

// The destinations that were proven: until the conversation ends, and in the
// project's .claude/settings.local.json.
const (
	destinationSession = "session"
	destinationProject = "localSettings"
)

// permanent is an answer that holds for what comes later as well.
type permanent struct {
	label   string
	updates []update
}

// labelLimit is the longest label in characters: what would have to be cut
// is not offered, since nobody could read what it allows.
const labelLimit = 240

// permanentLimit is how many of them are offered at most.
const permanentLimit = 6

// lasting spells out the agent's suggestions in words, each with its scope.
// Rules hold for the session, or for the project where the agent suggests
// that. Folders and the mode that accepts edits belong together: neither
// stops the asking without the other.
func lasting(cwd string, suggestions []suggestion) []permanent {
	var out []permanent
	var edits []update
	var words []string
	add := func(what, scope string, updates ...update) {
		label := "always: " + what + " " + scope
		if utf8.RuneCountInString(label) <= labelLimit && len(out) < permanentLimit {
			out = append(out, permanent{label, updates})
		}
	}
	for _, s := range suggestions {
		switch {
		case s.Type == "addRules" && s.Behavior == "allow" && named(s.Rules):
			u := update{Type: s.Type, Rules: s.Rules, Behavior: s.Behavior, Destination: destinationSession}
			add(ruleWords(s.Rules), "in this session", u)
			if s.Destination == destinationProject {
				u.Destination = destinationProject
				add(ruleWords(s.Rules), "in this project", u)
			}
		case s.Type == "setMode" && s.Mode == "acceptEdits":
			edits = append(edits, update{Type: s.Type, Mode: s.Mode, Destination: destinationSession})
			words = append([]string{"accept edits"}, words...)
		case s.Type == "addDirectories":
			if dirs := outside(cwd, s.Directories); len(dirs) > 0 {
				edits = append(edits, update{Type: s.Type, Directories: dirs, Destination: destinationSession})
				words = append(words, "work in "+session.MarkLine(strings.Join(dirs, ", ")))
			}
		}
	}
	if len(edits) > 0 {
		add(strings.Join(words, " and "), "in this session", edits...)
	}
	return out
}

// named says that there are rules, and that each names its tool: one that does
// not would be offered without a word.
func named(rules []rule) bool {
	blank := func(r rule) bool { return strings.TrimSpace(r.ToolName) == "" }
	return len(rules) > 0 && !slices.ContainsFunc(rules, blank)
}

func ruleWords(rules []rule) string {
	words := make([]string, len(rules))
	for i, r := range rules {
		words[i] = r.ToolName
		if r.RuleContent != "" {
			words[i] += "(" + r.RuleContent + ")"
		}
	}
	return session.MarkLine(strings.Join(words, ", "))
}

// outside returns the folders that do not lie in cwd: the others are the
// agent's to work in already. One without a name is none.
func outside(cwd string, dirs []string) []string {
	var out []string
	for _, d := range dirs {
		if strings.TrimSpace(d) == "" {
			continue
		}
		rel, err := filepath.Rel(cwd, d)
		if err != nil || rel == ".." || strings.HasPrefix(rel, "../") {
			out = append(out, d)
		}
	}
	return out
}
