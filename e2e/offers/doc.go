// Package offers holds the end-to-end tests of proposed threads that need no
// agent from outside: the built program, real git repositories, and shell
// scripts as agents. Starters are raced and killed here; the environment
// variables ASIDE_RACES and ASIDE_KILLS raise how often.
package offers
