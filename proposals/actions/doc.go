// Package actions is the rules of terminal-action proposals: the channel of
// a turn, the one form of the command that uses it, the schema and its text
// policy, and what becomes of a card (contracts/terminal-actions.md). It
// touches nothing: the helper carries what a person confirmed to a terminal.
package actions
