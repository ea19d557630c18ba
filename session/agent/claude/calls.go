package claude

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

// calls remembers the tool calls under way. A permission request does not
// name its call, so it is matched to the one that began before it by tool,
// input and sub-agent.
type calls struct {
	list []call // in the order they began
}

type call struct {
	id, tool, agent string
	input           inputKey
	asked           bool // a permission request was matched to it
	plan            string
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

func (c *calls) starting(p payload) {
	c.done(p.ToolUseID)
	if len(c.list) >= callsKept {
		c.list = c.list[1:]
	}
	begun := call{id: p.ToolUseID, tool: p.ToolName, agent: p.AgentID, input: inputKeyOf(p.ToolInput)}
	if p.ToolName == toolPlan {
		begun.plan = planOf(p.ToolInput)
	}
	c.list = append(c.list, begun)
}

// asking returns the call that a permission request is about: the first one
// like it that was not asked about yet, else the last one like it; the zero
// value when there is none.
func (c *calls) asking(p payload) call {
	input, last := inputKeyOf(p.ToolInput), -1
	for i := range c.list {
		k := &c.list[i]
		if k.tool != p.ToolName || k.agent != p.AgentID || k.input.sum() != input.sum() {
			continue
		}
		last = i
		if !k.asked {
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
	c.list = slices.DeleteFunc(c.list, func(k call) bool { return k.agent == "" })
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
