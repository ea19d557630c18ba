package agent

import (
	"crypto/sha256"
	"encoding/json"
	"slices"
)

// callsKept bounds how many tool calls are remembered; the oldest go first.
// Of an input longer than inputKept bytes only the digest is.
const (
	callsKept = 64
	inputKept = 8 << 10
)

// Calls remembers the tool calls under way, for agents whose permission
// requests do not name their call: a request is matched to the one that began
// before it by tool, input and sub-agent.
type Calls struct {
	list []underWay // in the order they began
}

// ToolUse is a call as the hooks tell of it.
type ToolUse struct {
	ID    string // "" for a request
	Tool  string
	Agent string // the sub-agent, or ""
	Input json.RawMessage
	Note  string // what the adapter wants to know when the call is asked about
}

type underWay struct {
	id, tool, agent, note string
	input                 inputKey
	asked                 bool // a permission request was matched to it
}

// inputKey tells a tool's input from others. Of the many calls few are asked
// about: the digest is made when it is first compared.
type inputKey struct {
	raw    json.RawMessage // until there is a digest
	digest [sha256.Size]byte
}

func inputKeyOf(raw json.RawMessage) inputKey {
	k := inputKey{raw: raw}
	if len(raw) > inputKept {
		k.sum()
	}
	return k
}

func (k *inputKey) sum() [sha256.Size]byte {
	if k.raw != nil {
		k.raw, k.digest = nil, sha256.Sum256(canonical(k.raw))
	}
	return k.digest
}

// Starting is told that a call begins.
func (c *Calls) Starting(u ToolUse) {
	c.Done(u.ID)
	if len(c.list) >= callsKept {
		c.list = c.list[1:]
	}
	c.list = append(c.list, underWay{id: u.ID, tool: u.Tool, agent: u.Agent, note: u.Note, input: inputKeyOf(u.Input)})
}

// Asking returns the id and the note of the call that a permission request is
// about: the first one like it that was not asked about yet, else the last
// one like it; "" when there is none.
func (c *Calls) Asking(u ToolUse) (id, note string) {
	input, last := inputKeyOf(u.Input), -1
	for i := range c.list {
		k := &c.list[i]
		if k.tool != u.Tool || k.agent != u.Agent || k.input.sum() != input.sum() {
			continue
		}
		last = i
		if !k.asked {
			break
		}
	}
	if last < 0 {
		return "", ""
	}
	c.list[last].asked = true
	return c.list[last].id, c.list[last].note
}

// Done is told that a call has ended.
func (c *Calls) Done(id string) {
	c.list = slices.DeleteFunc(c.list, func(k underWay) bool { return k.id == id })
}

// Reset forgets all calls.
func (c *Calls) Reset() { c.list = nil }

// ResetMain forgets the calls of the agent itself: with a new prompt what is
// left of them was interrupted. Sub-agents work on in the background.
func (c *Calls) ResetMain() {
	c.list = slices.DeleteFunc(c.list, func(k underWay) bool { return k.agent == "" })
}

// canonical returns JSON in one form, whatever the order of its members.
func canonical(data json.RawMessage) []byte {
	var v any
	if json.Unmarshal(data, &v) != nil {
		return data
	}
	out, err := json.Marshal(v)
	if err != nil {
		return data
	}
	return out
}
