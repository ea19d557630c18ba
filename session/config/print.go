package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Text returns the configuration as a commented file: each setting with what
// it means, and what the person has not set as a comment. Written to the
// configuration file it changes nothing.
func (c Config) Text() string {
	var b strings.Builder
	b.WriteString("# The configuration of aside. A line that begins with # is not in force; where it\n# has a setting, that is the default.\n")
	d := Default()
	for _, s := range settings() {
		switch {
		case s.value != nil:
			b.WriteString("\n" + comment(s.about) + unless(s.value(c) != s.value(d)) + s.key + " = " + s.value(c) + "\n")
		case s.key == "agents":
			c.agents(&b)
		case s.key == "projects":
			c.projects(&b)
		}
	}
	return b.String()
}

func comment(about string) string {
	return "# " + strings.ReplaceAll(about, "\n", "\n# ") + "\n"
}

// unless comments a line out that says nothing new.
func unless(set bool) string {
	if set {
		return ""
	}
	return "# "
}

func (c Config) agents(b *strings.Builder) {
	if len(c.Agents) == 0 {
		example(b, "agents.*", "agents.claude")
		return
	}
	head(b, "agents.*")
	for _, name := range slices.Sorted(maps.Keys(c.Agents)) {
		a := c.Agents[name]
		fmt.Fprintf(b, "[agents.%s]\n", quoted(name))
		text(b, "command", a.Command)
		if len(a.Args) > 0 {
			list := make([]string, len(a.Args))
			for i, arg := range a.Args {
				list[i] = quoted(arg)
			}
			fmt.Fprintf(b, "args = [%s]\n", strings.Join(list, ", "))
		}
		if len(a.Env) > 0 {
			var list []string
			for _, k := range slices.Sorted(maps.Keys(a.Env)) {
				list = append(list, quoted(k)+" = "+quoted(a.Env[k]))
			}
			fmt.Fprintf(b, "env = { %s }\n", strings.Join(list, ", "))
		}
		text(b, "model", a.Model)
	}
}

func (c Config) projects(b *strings.Builder) {
	if len(c.Projects) == 0 {
		example(b, "projects.*", `projects."~/src/app"`)
		return
	}
	head(b, "projects.*")
	for _, folder := range slices.Sorted(maps.Keys(c.Projects)) {
		p := c.Projects[folder]
		fmt.Fprintf(b, "[projects.%s]\n", quoted(folder))
		text(b, "worktrees", p.Worktrees)
		text(b, "setup", p.Setup)
	}
}

func head(b *strings.Builder, key string) {
	s, _ := named(strings.Split(key, "."))
	b.WriteString("\n" + comment(s.about))
}

func text(b *strings.Builder, key, value string) {
	if value != "" {
		b.WriteString(key + " = " + quoted(value) + "\n")
	}
}

// example shows a table that nothing is set in.
func example(b *strings.Builder, key, name string) {
	head(b, key)
	fmt.Fprintf(b, "# [%s]\n", name)
	for _, s := range settings() {
		if rest, ok := strings.CutPrefix(s.key, key+"."); ok && s.example != "" {
			fmt.Fprintf(b, "# %-60s # %s\n", rest+" = "+s.example, s.about)
		}
	}
}
