package config

import (
	"os"
	"path/filepath"
	"strings"
)

// Project returns what is configured for a project's folder, an absolute path
// without symbolic links. The file may name it with ~ for the home folder, or
// by way of a link.
func (c Config) Project(path string) Project {
	if p, ok := c.Projects[path]; ok {
		return p
	}
	for name, p := range c.Projects {
		if rest, ok := strings.CutPrefix(name, "~/"); ok {
			home, err := os.UserHomeDir()
			if err != nil {
				continue
			}
			name = filepath.Join(home, rest)
		}
		if target, err := filepath.EvalSymlinks(name); err == nil && filepath.Clean(target) == path {
			return p
		}
	}
	return Project{}
}
