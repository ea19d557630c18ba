package demo

// Tour is the prompt that shows everything.
const Tour = "tour"

// Project returns the files, by path, of the small project that the agent
// works in: what its offers speak of is there.
func Project() map[string]string {
	return map[string]string{
		"README.md": "# harbour\n\nA small program that reads its settings and greets the ships.\n",
		"go.mod":    "module example.com/harbour\n\ngo 1.24\n",
		"main.go": `package main

import (
	"fmt"

	"example.com/harbour/settings"
)

func main() {
	s := settings.Load("harbour.yaml")
	fmt.Println(s.Greeting)
}
`,
		"settings/load.go": `package settings

import "os"

// Settings are what can be configured.
type Settings struct{ Greeting string }

// Load reads a settings file. Whatever is wrong with it, the defaults hold.
func Load(path string) Settings {
	s := Settings{Greeting: "Ahoy"}
	b, err := os.ReadFile(path)
	if err != nil {
		return s
	}
	if len(b) > len("greeting: ") {
		s.Greeting = string(b[len("greeting: "):])
	}
	return s
}
`,
	}
}
