package claude

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"aside/session/agent"
)

// guard begins the command of every hook that is installed in the person's
// settings, and tells them from others. Outside aside it is all that runs: the
// shell that the agent starts for a hook ends at once. Where aside itself
// started the agent, with hooks of its own, those alone speak.
const guard = `[ -z "$ASIDE_SOCKET" ] || [ "$ASIDE_AGENT" = claude ] || exec `

// userHooks returns the hooks to be installed, by event.
func userHooks(in agent.Installation) map[string]hook {
	hooks := map[string]hook{}
	for _, event := range events {
		limit := informingTime
		if event == eventPermission {
			limit = in.Hold + holdMargin
		}
		hooks[event] = hook{Type: "command", Command: guard + agent.HookCommand(in.Program, "claude", event), Timeout: int(limit / time.Second)}
	}
	return hooks
}

// settingsText is the text of a settings file and what it holds.
type settingsText struct {
	text  []byte
	top   jsonValue
	hooks *jsonMember // nil when there is none
}

// readSettings refuses what cannot be changed without a guess.
func readSettings(text []byte) (settingsText, error) {
	s := settingsText{text: text}
	var err error
	if s.top, err = parseJSON(text); err != nil {
		return s, err
	}
	if !s.top.is(text, '{') {
		return s, fmt.Errorf("it is no JSON object")
	}
	switch found := s.top.member("hooks"); len(found) {
	case 0:
		return s, nil
	case 1:
		s.hooks = &found[0]
	default:
		return s, fmt.Errorf("it names hooks %d times", len(found))
	}
	if !s.hooks.value.is(text, '{') {
		return s, fmt.Errorf("hooks is no JSON object")
	}
	seen := map[string]bool{}
	for _, m := range s.hooks.value.members {
		if seen[m.name] {
			return s, fmt.Errorf("its hooks name %s more than once", m.name)
		}
		seen[m.name] = true
		if !m.value.is(text, '[') {
			return s, fmt.Errorf("its hooks for %s are no JSON array", m.name)
		}
	}
	return s, nil
}

// entries returns the hooks of a matcher, nil when it is of another shape.
func (s settingsText) entries(group jsonValue) *jsonValue {
	if !group.is(s.text, '{') {
		return nil
	}
	found := group.member("hooks")
	if len(found) != 1 || !found[0].value.is(s.text, '[') {
		return nil
	}
	return &found[0].value
}

// own returns the hook at a place, if it is one of aside's.
func (s settingsText) own(v jsonValue) (hook, bool) {
	var h hook
	err := json.Unmarshal(s.text[v.start:v.end], &h)
	return h, err == nil && strings.HasPrefix(h.Command, guard)
}

// installed returns aside's hooks by event.
func (s settingsText) installed() map[string][]hook {
	found := map[string][]hook{}
	if s.hooks == nil {
		return found
	}
	for _, event := range s.hooks.value.members {
		for _, group := range event.value.items {
			if list := s.entries(group); list != nil {
				for _, item := range list.items {
					if h, ok := s.own(item); ok {
						found[event.name] = append(found[event.name], h)
					}
				}
			}
		}
	}
	return found
}

// complete says that the hooks are installed just so.
func (s settingsText) complete(want map[string]hook) bool {
	found := s.installed()
	for event, h := range want {
		if len(found[event]) != 1 || found[event][0] != h {
			return false
		}
	}
	return len(found) == len(want)
}

// without returns the text without aside's hooks. What they alone were in
// goes with them.
func (s settingsText) without() []byte {
	if s.hooks == nil {
		return s.text
	}
	var splices []splice
	goneEvents := map[int]bool{}
	for i, event := range s.hooks.value.members {
		gone := map[int]bool{}
		var inside []splice
		for j, group := range event.value.items {
			list := s.entries(group)
			if list == nil {
				continue
			}
			dead := map[int]bool{}
			for k, item := range list.items {
				_, dead[k] = s.own(item)
			}
			drop := list.drop(func(k int) bool { return dead[k] })
			if gone[j] = allOf(dead); !gone[j] {
				inside = append(inside, drop...)
			}
		}
		if goneEvents[i] = len(gone) == len(event.value.items) && allOf(gone); !goneEvents[i] {
			splices = append(splices, inside...)
			splices = append(splices, event.value.drop(func(j int) bool { return gone[j] })...)
		}
	}
	if allOf(goneEvents) {
		splices = s.top.drop(func(i int) bool { return s.top.members[i].name == "hooks" })
	} else {
		splices = append(splices, s.hooks.value.drop(func(i int) bool { return goneEvents[i] })...)
	}
	return apply(s.text, splices)
}

// allOf says that there is something, and all of it is true.
func allOf(set map[int]bool) bool {
	for _, ok := range set {
		if !ok {
			return false
		}
	}
	return len(set) > 0
}

// with returns the text with the hooks added, in the text's own style.
func (s settingsText) with(want map[string]hook) ([]byte, error) {
	nl, unit := s.style()
	var splices []splice
	var fresh []string
	for _, event := range events {
		group, err := agent.JSON(matcher{Hooks: []hook{want[event]}})
		if err != nil {
			return nil, fmt.Errorf("write hook: %w", err)
		}
		if s.hooks != nil {
			if found := s.hooks.value.member(event); len(found) > 0 {
				splices = append(splices, found[0].value.add(indented(group, nl, unit, 3), nl+strings.Repeat(unit, 3), nl+strings.Repeat(unit, 2)))
				continue
			}
		}
		list := append(append([]byte{'['}, group...), ']')
		fresh = append(fresh, fmt.Sprintf("%q: %s", event, indented(list, nl, unit, 2)))
	}
	members := strings.Join(fresh, ","+nl+strings.Repeat(unit, 2))
	switch {
	case s.hooks == nil:
		object := `"hooks": {` + nl + strings.Repeat(unit, 2) + members + nl + unit + "}"
		splices = append(splices, s.top.add(object, nl+unit, nl))
	case len(fresh) > 0:
		splices = append(splices, s.hooks.value.add(members, nl+strings.Repeat(unit, 2), nl+unit))
	}
	return apply(s.text, splices), nil
}

// style returns the text's line break and its unit of indentation.
func (s settingsText) style() (nl, unit string) {
	nl, unit = "\n", "  "
	if bytes.Contains(s.text, []byte("\r\n")) {
		nl = "\r\n"
	}
	if len(s.top.members) > 0 {
		before := s.text[s.top.start+1 : s.top.members[0].start]
		if i := bytes.LastIndexByte(before, '\n'); i >= 0 && i+1 < len(before) {
			unit = string(before[i+1:])
		}
	}
	return nl, unit
}

// indented spreads a JSON value over lines, as it stands at a depth.
func indented(value []byte, nl, unit string, depth int) string {
	var b bytes.Buffer
	if err := json.Indent(&b, value, strings.Repeat(unit, depth), unit); err != nil {
		return string(value) // it is valid: encode made it
	}
	return strings.ReplaceAll(b.String(), "\n", nl)
}
