// Command picture runs a program on a terminal, plays a script on it and
// writes pictures of its screen.
//
//	go run ./e2e/picture -out start.svg -- bin/aside
//	go run ./e2e/picture -claude -size 160x45 -script docs/pictures/offer.txt -- bin/aside
//
// A script has one step a line; empty lines and those that start with # are
// left out:
//
//	wait REGEXP      until the screen shows it
//	gone REGEXP      until the screen no longer shows it
//	quiet            until nothing has changed for a moment, 4 s at most
//	type TEXT        one key per character
//	key NAME...      keys by name: enter, esc, ctrl+space, shift+tab, f5, x
//	paste TEXT       as one paste; \n in TEXT is a line end
//	click TEXT       on the first place where TEXT is shown
//	resize 80x24
//	shot FILE        write a picture: .svg, or .png through rsvg-convert
//	shot NAME        write one for each size of -sizes, in the folder -to:
//	                 NAME-80x24.svg, and with -light NAME-80x24-light.svg
//	shot NAME SIZE…  the same for some sizes only
//	mark NAME        name this moment in the record
//	end              until the program has ended
//
// With -record all that the program writes is kept in a file of package
// streams.
//
// With -claude the program runs, unless -dir says otherwise, in a small project
// made for it. It finds the pinned Claude Code client, a home for that and the
// scripted model server in its environment, and an ASIDE_HOME whose
// configuration starts the client.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"aside/e2e/term"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "picture:", err)
		os.Exit(1)
	}
}

type options struct {
	out, script, dir string
	to               string
	sizes            []string
	record           string
	cols, rows       int
	light, claude    bool
	timeout          time.Duration
	command          []string
}

func parse(args []string) (options, error) {
	var o options
	var size, sizes string
	flags := flag.NewFlagSet("picture", flag.ContinueOnError)
	flags.StringVar(&o.out, "out", "", "picture of the last screen (.svg or .png)")
	flags.StringVar(&o.script, "script", "", "file with the steps; - is standard input")
	flags.StringVar(&o.record, "record", "", "file for what the program writes (.cast.gz)")
	flags.StringVar(&o.dir, "dir", "", "folder to run the program in")
	flags.StringVar(&o.to, "to", ".", "folder for pictures that have a name only")
	flags.StringVar(&sizes, "sizes", "80x24,120x40,200x50", "their sizes")
	flags.StringVar(&size, "size", "120x40", "columns x rows")
	flags.BoolVar(&o.light, "light", false, "light colours")
	flags.BoolVar(&o.claude, "claude", false, "with the pinned Claude Code client and a scripted model")
	flags.DurationVar(&o.timeout, "timeout", time.Minute, "limit of the whole run")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	var err error
	if o.cols, o.rows, err = parseSize(size); err != nil {
		return o, err
	}
	o.sizes = strings.Split(sizes, ",")
	o.command = flags.Args()
	if len(o.command) == 0 {
		return o, errors.New("no command after --")
	}
	// The command is named from here, the program runs in -dir.
	if strings.Contains(o.command[0], "/") {
		o.command[0], err = filepath.Abs(o.command[0])
	}
	return o, err
}

func parseSize(size string) (cols, rows int, err error) {
	if _, err := fmt.Sscanf(size, "%dx%d", &cols, &rows); err != nil || cols < 1 || rows < 1 || cols > 1000 || rows > 1000 {
		return 0, 0, fmt.Errorf("size %q is not COLSxROWS", size)
	}
	return cols, rows, nil
}

func run(ctx context.Context, args []string) (err error) {
	o, err := parse(args)
	if err != nil {
		return err
	}
	steps, err := readScript(o)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, o.timeout)
	defer cancel()
	stage, err := setStage(ctx, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stage.close()) }()
	theme := term.Dark
	if o.light {
		theme = term.Light
	}
	rec := newRecording(o)
	t, err := term.Start(term.Options{
		Command: o.command, Dir: stage.project, Env: stage.env, Cols: o.cols, Rows: o.rows, Theme: theme,
		Output: rec.output,
	})
	if err != nil {
		return err
	}
	defer func() {
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), 20*time.Second)
		defer cancel()
		err = errors.Join(err, t.Close(ending))
		if o.claude && filepath.Base(o.command[0]) == "aside" {
			err = errors.Join(err, stage.stopThreads(ending, o.command[0]))
		}
	}()
	for _, s := range steps {
		if err := s.play(ctx, o, t, rec); err != nil {
			return err
		}
	}
	return rec.save()
}
