package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"aside/e2e/streams"
	"aside/e2e/term"
)

// A screen that stays as it is for quietTime has settled. One that never does,
// because something on it blinks, is taken as it is after quietLimit.
const (
	quietTime  = 700 * time.Millisecond
	quietLimit = 4 * time.Second
)

// step is one line of a script.
type step struct {
	line      int
	verb, arg string
}

func readScript(o options) ([]step, error) {
	var steps []step
	switch o.script {
	case "":
		steps = []step{{verb: "quiet"}}
	case "-":
		text, err := io.ReadAll(os.Stdin)
		if err != nil {
			return nil, fmt.Errorf("read script: %w", err)
		}
		steps = parseScript(string(text))
	default:
		text, err := os.ReadFile(o.script)
		if err != nil {
			return nil, fmt.Errorf("read script: %w", err)
		}
		steps = parseScript(string(text))
	}
	if o.out != "" {
		steps = append(steps, step{verb: "shot", arg: o.out})
	}
	return steps, nil
}

func parseScript(text string) []step {
	var steps []step
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		verb, arg, _ := strings.Cut(line, " ")
		steps = append(steps, step{line: n, verb: verb, arg: strings.TrimSpace(arg)})
	}
	return steps
}

func (s step) play(ctx context.Context, o options, t *term.Terminal, rec *recording) error {
	if err := s.do(ctx, o, t, rec); err != nil {
		return fmt.Errorf("step %d (%s): %w", s.line, s.verb, err)
	}
	return nil
}

func (s step) do(ctx context.Context, o options, t *term.Terminal, rec *recording) error {
	switch s.verb {
	case "wait":
		return t.WaitFor(ctx, s.arg)
	case "gone":
		return t.WaitGone(ctx, s.arg)
	case "quiet":
		return quiet(ctx, t)
	case "type":
		return t.Type(s.arg)
	case "key":
		return t.Key(strings.Fields(s.arg)...)
	case "paste":
		return t.Paste(strings.ReplaceAll(s.arg, `\n`, "\n"))
	case "click":
		return t.ClickOn(s.arg)
	case "resize":
		return resize(s.arg, t, rec)
	case "shot":
		if filepath.Ext(s.arg) == "" {
			return shots(ctx, o, strings.Fields(s.arg), t, rec)
		}
		return shot(ctx, s.arg, t.SVG())
	case "mark":
		rec.add(streams.Step{Mark: s.arg})
		return nil
	case "end":
		_, err := t.WaitExit(ctx)
		return err
	}
	return fmt.Errorf("there is no such step")
}

func quiet(ctx context.Context, t *term.Terminal) error {
	limit := time.After(quietLimit)
	for {
		settled := time.NewTimer(quietTime)
		select {
		case <-t.Changed():
			settled.Stop()
		case <-settled.C:
			return nil
		case <-limit:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func resize(size string, t *term.Terminal, rec *recording) error {
	cols, rows, err := parseSize(size)
	if err != nil {
		return err
	}
	rec.add(streams.Step{Resize: [2]int{cols, rows}})
	return t.Resize(cols, rows)
}

// shots writes a picture for each size, and leaves the terminal as large as it
// was in the beginning.
func shots(ctx context.Context, o options, words []string, t *term.Terminal, rec *recording) error {
	if len(words) == 0 {
		return errors.New("a picture needs a name")
	}
	name, sizes := words[0], o.sizes
	if len(words) > 1 {
		sizes = words[1:]
	}
	light := ""
	if o.light {
		light = "-light"
	}
	for _, size := range sizes {
		if err := resize(size, t, rec); err != nil {
			return err
		}
		if err := quiet(ctx, t); err != nil {
			return err
		}
		if err := shot(ctx, filepath.Join(o.to, name+"-"+size+light+".svg"), t.SVG()); err != nil {
			return err
		}
	}
	if err := resize(fmt.Sprintf("%dx%d", o.cols, o.rows), t, rec); err != nil {
		return err
	}
	return quiet(ctx, t)
}

// shot writes a picture into a file of the kind that its name says.
func shot(ctx context.Context, path, svg string) error {
	if filepath.Ext(path) != ".png" {
		return os.WriteFile(path, []byte(svg), 0o644)
	}
	convert := exec.CommandContext(ctx, "rsvg-convert", "--zoom", "2", "--output", path)
	convert.Stdin = strings.NewReader(svg)
	if out, err := convert.CombinedOutput(); err != nil {
		return fmt.Errorf("write %s: %w (rsvg-convert is in the package librsvg2-bin) %s", path, err, out)
	}
	return nil
}
