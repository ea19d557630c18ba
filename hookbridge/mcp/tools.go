package mcp

import (
	"encoding/json"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// The tools that aside offers to an agent's model.
const (
	ToolPropose  = "propose_thread"
	ToolWithdraw = "withdraw_proposal"
	ToolList     = "list_proposals"
	ToolActions  = "propose_terminal_actions"
	ToolResult   = "terminal_action_result"
)

// The descriptions tell propose_thread from the tools of some agents that
// create a thread at once, and say before the call what its reply will not.
const (
	proposeDescription = `Offer the person a separate thread of work that you noticed but that is not your task: a bug next to the one you are fixing, a missing test, a refactoring worth doing. They see a card with your title, summary and prompt in aside, the terminal that this session runs in, and may start it, whenever they like, with an agent and a checkout of its own, or leave it.
This is an offer to a person and nothing else: it makes no thread and runs nothing, unlike tools such as create_thread or fork_thread that act at once. It returns immediately, and you will never be told the answer. Do not wait for it, do not do the offered work here, and do not make the same offer twice. Do not use it for a step of your own task, or for a question.`

	withdrawDescription = `Take back an offer that you made with propose_thread in this session, because it no longer makes sense. The reply is the same whether or not the person had answered it.`

	listDescription = `List the ids and titles of the threads that you offered with propose_thread in this session, so that you offer none of them again. What the person answered is not told.`

	actionsDescription = `Propose actions on the person's own terminals beside this session: run or insert a command in their shell, open a tab or a split, or start a delegated task in a thread of its own; up to three alternatives to choose from. They see one card with everything that would happen, and nothing happens before they confirm it. Use it for what belongs in their terminals, such as a long-running server, a login or a watch; what is a step of your own task you run yourself.
It returns as soon as the card is there. Do not wait for the answer: end your turn, or go on; terminal_action_result tells it later. One card at a time, and the next prompt of the person takes away one that was not answered.`

	resultDescription = `Tell what became of the card that propose_terminal_actions showed: pending, confirmed with which choice (handed to the terminal, not completed), cancelled, superseded, session_replaced, timed_out or unavailable.`
)

// The schemas advertise the arguments. They decide nothing: what a call
// passes is checked where the proposal is made, so that the reply to wrong
// arguments is aside's own and says that nothing was shown.
const (
	proposeSchema = `{
	"type": "object",
	"properties": {
		"title": {"type": "string", "description": "What the thread is about, on one line; at most 80 characters."},
		"summary": {"type": "string", "description": "What the run would do, for the person who decides; at most 400 characters."},
		"rationale": {"type": "string", "description": "Why it deserves a thread of its own; at most 400 characters."},
		"prompt": {"type": "string", "description": "The exact text that the new thread starts with. Its agent knows nothing of this session: name files, symptoms and what done means."},
		"files": {"type": "array", "items": {"type": "string"}, "description": "Paths that it is likely to touch, for the card."}
	},
	"required": ["title", "summary", "prompt"]
}`

	withdrawSchema = `{
	"type": "object",
	"properties": {
		"id": {"type": "string", "description": "The offer's id, as propose_thread and list_proposals told it."}
	},
	"required": ["id"]
}`

	listSchema = `{"type": "object", "properties": {}}`

	actionsSchema = `{
	"type": "object",
	"properties": {
		"schema_version": {"type": "integer", "const": 1},
		"choices": {"type": "array", "minItems": 1, "maxItems": 3, "description": "Alternatives; the person takes one.", "items": {
			"type": "object",
			"properties": {
				"title": {"type": "string", "description": "What it does, on one line; at most 200 characters."},
				"rationale": {"type": "string", "description": "Why; at most 2,000 characters."},
				"actions": {"type": "array", "minItems": 1, "maxItems": 3, "items": {
					"type": "object",
					"properties": {
						"type": {"enum": ["run", "open", "open_and_run", "delegate"], "description": "run: command in their active shell. open: a new shell. open_and_run: a new shell and command in it. delegate: a new thread with title and prompt."},
						"command": {"type": "string", "description": "run, open_and_run: one line, at most 8,000 characters."},
						"place": {"enum": ["tab", "split"], "description": "open, open_and_run."},
						"direction": {"enum": ["right", "down"], "description": "Of a split."},
						"cwd": {"type": "string", "description": "open, open_and_run: a folder inside the checkout."},
						"title": {"type": "string", "description": "open, open_and_run: of the shell; delegate: of the thread."},
						"prompt": {"type": "string", "description": "delegate: what its agent starts with."}
					},
					"required": ["type"]
				}}
			},
			"required": ["title", "actions"]
		}}
	},
	"required": ["schema_version", "choices"]
}`

	resultSchema = `{
	"type": "object",
	"properties": {"card": {"type": "string", "description": "The card's id, as propose_terminal_actions told it."}},
	"required": ["card"]
}`
)

// tools returns the tools as they are advertised. None of them is deferred
// behind a tool search, because an agent does not search for what it has not
// been asked to do; the hints let agents call them without asking the person.
func tools() []*sdk.Tool {
	no := false
	tool := func(name, title, description, schema string, readOnly bool) *sdk.Tool {
		return &sdk.Tool{
			Meta:        sdk.Meta{"anthropic/alwaysLoad": true},
			Name:        name,
			Title:       title,
			Description: description,
			InputSchema: json.RawMessage(schema),
			Annotations: &sdk.ToolAnnotations{
				Title:           title,
				ReadOnlyHint:    readOnly,
				DestructiveHint: &no,
				IdempotentHint:  true,
				OpenWorldHint:   &no,
			},
		}
	}
	return []*sdk.Tool{
		tool(ToolPropose, "Propose a thread", proposeDescription, proposeSchema, false),
		tool(ToolWithdraw, "Withdraw a proposal", withdrawDescription, withdrawSchema, false),
		tool(ToolList, "List proposals", listDescription, listSchema, true),
		tool(ToolActions, "Propose terminal actions", actionsDescription, actionsSchema, false),
		tool(ToolResult, "Result of terminal actions", resultDescription, resultSchema, true),
	}
}
