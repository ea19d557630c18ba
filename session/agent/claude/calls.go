package claude

import (
	"crypto/sha256"
	"encoding/json"
	"slices"
)

// callsKept bounds how many tool calls are remembered; the oldest go first.
const callsKept = 64

// calls remembers the tool calls under way. A permission request does not
// name its call, so it is matched to the one that began before it by tool,
// input and sub-agent.
type calls struct {
	list []call // in the order they began
}

type call struct {
	id    string
	key   callKey
	asked bool // a permission request was matched to it
	plan  string
}

type callKey struct {
	tool, agent string
	input       [sha256.Size]byte
}

func (c *calls) starting(p payload) {
	c.done(p.ToolUseID)
	if len(c.list) >= callsKept {
		c.list = c.list[1:]
	}
	c.list = append(c.list, call{id: p.ToolUseID, key: keyOf(p), plan: planOf(p.ToolInput)})
}

// asking returns the call that a permission request is about: the first one
// like it that was not asked about yet, else the last one like it; the zero
// value when there is none.
func (c *calls) asking(p payload) call {
	key, last := keyOf(p), -1
	for i := range c.list {
		if c.list[i].key != key {
			continue
		}
		last = i
		if !c.list[i].asked {
			break
		}
	}
	if last < 0 {
		return call{}
	}
	c.list[last].asked = true
	return c.list[last]
}

func (c *calls) done(id string) {
	c.list = slices.DeleteFunc(c.list, func(k call) bool { return k.id == id })
}

func (c *calls) reset() { c.list = nil }

// resetMain forgets the calls of the agent itself: with a new prompt what is
// left of them was interrupted. Sub-agents work on in the background.
func (c *calls) resetMain() {
	c.list = slices.DeleteFunc(c.list, func(k call) bool { return k.key.agent == "" })
}

func keyOf(p payload) callKey {
	return callKey{tool: p.ToolName, agent: p.AgentID, input: sha256.Sum256(canonical(p.ToolInput))}
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

func planOf(input json.RawMessage) string {
	return inputOf(input).text("plan")
}
