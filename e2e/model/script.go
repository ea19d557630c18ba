package model

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// DefaultText is the whole reply to a prompt that spells no script, and to
// every request after a script's last reply.
const DefaultText = "Done."

// call is one tool call of a reply.
type call struct {
	Name  string
	Input json.RawMessage
}

// part is a piece of a reply, in the order it is streamed; one field is set.
type part struct {
	Text string
	Call *call
	Hold bool // nothing more is sent until Server.Release
}

// reply is what the model answers to one request.
type reply []part

// stopReason is "tool_use" when the reply calls a tool, else "end_turn".
func (r reply) stopReason() string {
	for _, p := range r {
		if p.Call != nil {
			return "tool_use"
		}
	}
	return "end_turn"
}

// parseScript reads the replies that a prompt spells. A line that starts with
// @text, @tool, @with or @wait belongs to the script and every other one is
// prose: a prompt may carry a heading or instructions around its script. A
// reply ends with its @tool line and the @with lines right after it. A tool
// line without a name or with input that is no JSON object becomes a text that
// says so, where a test's author sees it.
func parseScript(prompt string) []reply {
	var replies []reply
	var now reply
	called := false // the last reply of replies ended with a call, and @with may still join it
	for line := range strings.Lines(prompt) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		rest = strings.TrimSpace(rest)
		switch word {
		case "@text":
			now = append(now, part{Text: rest})
		case "@wait":
			now = append(now, part{Hold: true})
		case "@tool":
			replies = append(replies, append(now, toolPart(rest)))
			now, called = nil, true
			continue
		case "@with":
			if !called {
				now = append(now, part{Text: "@with has no @tool line before it"})
				break
			}
			last := len(replies) - 1
			replies[last] = append(replies[last], toolPart(rest))
			continue
		default:
			continue
		}
		called = false
	}
	if now != nil {
		replies = append(replies, now)
	}
	return replies
}

func toolPart(line string) part {
	name, input, _ := strings.Cut(line, " ")
	input = strings.TrimSpace(input)
	if input == "" {
		input = "{}"
	}
	var object map[string]json.RawMessage
	if name == "" {
		return part{Text: "@tool has no name"}
	}
	if err := json.Unmarshal([]byte(input), &object); err != nil {
		return part{Text: fmt.Sprintf("@tool %s: input is no JSON object: %v", name, err)}
	}
	return part{Call: &call{Name: name, Input: json.RawMessage(input)}}
}

// nextReply chooses the reply to a conversation: it finds the latest prompt
// and counts the assistant's messages since, so the server keeps no state and
// a client that repeats a request gets the same answer.
func nextReply(messages []Message) reply {
	at := latestPrompt(messages)
	if at >= 0 {
		answered := 0
		for _, m := range messages[at:] {
			if m.Role == "assistant" {
				answered++
			}
		}
		if replies := parseScript(recall(messages[at].Prompt(), messages[at:])); answered < len(replies) {
			return replies[answered]
		}
	}
	return reply{{Text: DefaultText}}
}

// recall puts what the conversation holds into a script: a line
//
//	@recall WORD REGEXP
//
// makes WORD stand for the last match in what the client sent with the prompt
// or after it, such as what a hook has added to the prompt.
func recall(script string, sent []Message) string {
	for line := range strings.Lines(script) {
		fields := strings.Fields(line)
		if len(fields) != 3 || fields[0] != "@recall" {
			continue
		}
		pattern, err := regexp.Compile(fields[2])
		if err != nil {
			return fmt.Sprintf("@text @recall %s: %v", fields[1], err)
		}
		last := ""
		for _, m := range sent {
			if m.Role == "assistant" {
				continue
			}
			for _, found := range pattern.FindAllString(joinText(m.Content), -1) {
				last = found
			}
		}
		script = strings.ReplaceAll(strings.Replace(script, line, "", 1), fields[1], last)
	}
	return script
}

func latestPrompt(messages []Message) int {
	for i := len(messages) - 1; i >= 0; i-- {
		if messages[i].Role == "user" && messages[i].Prompt() != "" {
			return i
		}
	}
	return -1
}
