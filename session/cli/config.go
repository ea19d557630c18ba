package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"aside/session"
	"aside/session/config"

	"github.com/spf13/cobra"
)

func (p Program) config() *cobra.Command {
	cmd := &cobra.Command{
		Use: "config", Short: "Print all settings, with what you have set", Args: args(cobra.NoArgs),
		Long: `Print all settings as a commented configuration file: what each means, and what
is in force now. A setting that you have not set is a comment.`,
		RunE: func(*cobra.Command, []string) error {
			_, c, err := configured()
			if err != nil {
				return err
			}
			_, err = io.WriteString(p.Out, c.Text())
			return err
		},
	}
	cmd.AddCommand(
		&cobra.Command{
			Use: "path", Short: "Print the configuration file's path", Args: args(cobra.NoArgs),
			RunE: func(*cobra.Command, []string) error {
				paths, err := config.Locate()
				if err != nil {
					return err
				}
				return p.line(paths.File())
			},
		},
		&cobra.Command{
			Use: "check", Short: "Check the configuration file", Args: args(cobra.NoArgs),
			RunE: func(*cobra.Command, []string) error {
				file, _, err := configured()
				if err != nil {
					return err
				}
				if _, err := os.Stat(file); err != nil {
					return p.line("There is no " + file + "; the defaults hold.")
				}
				return p.line(file + " is right.")
			},
		},
		&cobra.Command{
			Use: "init", Short: "Write a commented configuration file, if there is none", Args: args(cobra.NoArgs),
			RunE: func(*cobra.Command, []string) error { return p.initConfig() },
		},
		p.setup(),
	)
	return cmd
}

// configured returns the configuration file's path, and what it says.
func configured() (string, config.Config, error) {
	paths, err := config.Locate()
	if err != nil {
		return "", config.Config{}, err
	}
	c, err := config.Read(paths.File())
	return paths.File(), c, err
}

// initConfig writes the defaults as comments: nothing changes by it.
func (p Program) initConfig() error {
	paths, err := config.Locate()
	if err != nil {
		return err
	}
	file := paths.File()
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return fmt.Errorf("make the configuration folder: %w", err)
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	switch {
	case errors.Is(err, fs.ErrExist):
		return &session.Error{Code: session.CodeSettled, Message: "there is a " + file + " already; it was left as it is", Hint: "aside config prints all settings, with what it sets"}
	case err != nil:
		return fmt.Errorf("write the configuration: %w", err)
	}
	_, err = io.WriteString(f, config.Default().Text())
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	return p.line("Wrote " + file + "; take the # off a setting to change it.")
}
