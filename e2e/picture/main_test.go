package main

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"aside/e2e/streams"
)

func TestAScriptIsPlayedAndPicturesAreWritten(t *testing.T) {
	dir := t.TempDir()
	script := filepath.Join(dir, "script")
	first, last := filepath.Join(dir, "first.svg"), filepath.Join(dir, "last.svg")
	steps := "#: -size 40x5\n# a comment\n\nwait name\nshot " + first + "\ntype Ada Lo\nkey enter\nwait ^Hello\n"
	if err := os.WriteFile(script, []byte(steps), 0o600); err != nil {
		t.Fatal(err)
	}
	err := run(t.Context(), []string{
		"-size", "40x5", "-dir", dir, "-script", script, "-out", last, "--",
		"/bin/sh", "-c", `printf 'name? '; read name; printf "Hello $name\n"; read name`,
	})
	if err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{first: "name?", last: "Hello Ada Lo"} {
		svg, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(svg), want) {
			t.Errorf("%s lacks %q:\n%s", filepath.Base(file), want, svg)
		}
	}
}

func TestASceneIsPicturedAtEverySize(t *testing.T) {
	dir := t.TempDir()
	script := filepath.Join(dir, "script")
	if err := os.WriteFile(script, []byte("wait name\nshot scene\nshot wide 60x6\nkey enter\nend\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	err := run(t.Context(), []string{
		"-size", "40x5", "-sizes", "30x4,50x6", "-light", "-to", dir, "-script", script, "--", "/bin/sh", "-c", `printf 'name? '; read name`,
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"scene-30x4-light.svg", "scene-50x6-light.svg", "wide-60x6-light.svg"} {
		if svg, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !strings.Contains(string(svg), "name?") {
			t.Errorf("%s: %v\n%s", name, err, svg)
		}
	}
}

func TestWhatHappensOnTheTerminalIsRecorded(t *testing.T) {
	dir := t.TempDir()
	script, file := filepath.Join(dir, "script"), filepath.Join(dir, "agent.cast.gz")
	if err := os.WriteFile(script, []byte("wait name\nmark asked\nresize 50x6\nkey enter\nend\nmark exit\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	err := run(t.Context(), []string{
		"-size", "40x5", "-script", script, "-record", file, "--", "/bin/sh", "-c", `stty -echo; printf 'name? '; read name; stty size`,
	})
	if err != nil {
		t.Fatal(err)
	}
	got, err := streams.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	want := &streams.Stream{Name: "agent", Cols: 40, Rows: 5, Steps: []streams.Step{
		{Output: []byte("name? ")}, {Mark: "asked"}, {Resize: [2]int{50, 6}}, {Output: []byte("6 50\r\n")}, {Mark: "exit"},
	}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestAStepThatFailsIsNamed(t *testing.T) {
	script := filepath.Join(t.TempDir(), "script")
	if err := os.WriteFile(script, []byte("\nclick [there]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	err := run(t.Context(), []string{"-script", script, "--", "/bin/sh", "-c", "read line"})
	if err == nil || !strings.Contains(err.Error(), `step 2 (click): click on "[there]"`) {
		t.Errorf("got %v", err)
	}
}

func TestWrongArgumentsAreRefused(t *testing.T) {
	for _, args := range [][]string{{}, {"-size", "80", "--", "true"}, {"-size", "0x5", "--", "true"}} {
		if err := run(t.Context(), args); err == nil {
			t.Errorf("%q was taken", args)
		}
	}
}
