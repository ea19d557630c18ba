package links

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"aside/session"
)

// checkout is a folder with a document, and one beside it.
func checkout(t *testing.T) string {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(top, "checkout")
	for _, path := range []string{"checkout/report.html", "checkout/a b/run.sh", "outside.html"} {
		path = filepath.Join(top, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"out.html": "../outside.html", "in.html": "report.html", "script.html": "a b/run.sh"} {
		if err := os.Symlink(to, filepath.Join(root, link)); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestWhatMayBeOpened(t *testing.T) {
	root := checkout(t)
	for target, want := range map[string]string{
		"https://example.com/a?b=c#d":             "https://example.com/a?b=c#d",
		"HTTP://example.com":                      "HTTP://example.com",
		"mailto:me@example.com?subject=x":         "mailto:me@example.com?subject=x",
		"file://" + root + "/report.html":         filepath.Join(root, "report.html"),
		"file://localhost" + root + "/in.html":    filepath.Join(root, "report.html"),
		"file://" + root + "/a%20b/../in.html":    filepath.Join(root, "report.html"),
		"file://" + root + "/out.html":            "",
		"file://" + root + "/script.html":         "",
		"file://" + root + "/a%20b/run.sh":        "",
		"file://" + root + "/../outside.html":     "",
		"file://" + root + "/none.html":           "",
		"file://" + root:                          "",
		"file://elsewhere.example" + root + "/in": "",
		"file:report.html":                        "",
		"https:///a":                              "",
		"https://a b":                             "",
		"https://a/\x1b[2J":                       "",
		"https://ä.example":                       "",
		"https://a/" + strings.Repeat("x", 3000):  "",
		"mailto:me@example.com?Attach=/etc/x":     "",
		"javascript:alert(1)":                     "",
		"ssh://host":                              "",
		"-h":                                      "",
		"":                                        "",
		"%":                                       "",
	} {
		got, err := Check(target, root)
		if got != want || (err != nil) != (want == "") {
			t.Errorf("%q: %q, %v", target, got, err)
		}
		var e *session.Error
		if err != nil && (!errors.As(err, &e) || e.Message == "" || e.Hint == "") {
			t.Errorf("%q: %v says nothing to the person", target, err)
		}
	}
	if got, err := Check("file://"+root+"/report.html", ""); err == nil {
		t.Errorf("without a checkout %q is opened", got)
	}
}

// opener runs a script as xdg-open on a machine with a screen.
func opener(t *testing.T, script string) (o Opener, dir string) {
	t.Helper()
	dir = t.TempDir()
	path := filepath.Join(dir, "xdg-open")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o700); err != nil {
		t.Fatal(err)
	}
	return Opener{
		System: "linux", Patience: time.Minute,
		Env: func(name string) string { return map[string]string{"DISPLAY": ":0"}[name] },
		Look: func(name string) (string, error) {
			if name == "xdg-open" {
				return path, nil
			}
			return "", os.ErrNotExist
		},
	}, dir
}

func TestATargetIsOpenedAsOneArgument(t *testing.T) {
	o, dir := opener(t, `printf '%s|' "$@" > "${0%/*}/got"`)
	const target = "https://example.com/?a=b&c='d';$(touch x)"
	if ok, err := o.Open(context.Background(), target); !ok || err != nil {
		t.Fatalf("%t, %v", ok, err)
	}
	got, err := os.ReadFile(filepath.Join(dir, "got"))
	if err != nil || string(got) != target+"|" {
		t.Errorf("it got %q, %v", got, err)
	}
}

func TestAnOpenerThatFailsSaysSo(t *testing.T) {
	for status, want := range map[string]string{"exit 4": "could not open", "exit 3": "knows no program"} {
		o, _ := opener(t, status)
		if ok, err := o.Open(context.Background(), "https://a"); ok || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %t, %v", status, ok, err)
		}
	}
}

func TestAViewerThatGoesOnIsLeftAlone(t *testing.T) {
	o, dir := opener(t, `read _ < "${0%/*}/fifo"`)
	fifo := filepath.Join(dir, "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	o.Patience = time.Millisecond
	if ok, err := o.Open(context.Background(), "https://a"); !ok || err != nil {
		t.Errorf("%t, %v", ok, err)
	}
	f, err := os.OpenFile(fifo, os.O_WRONLY, 0) // waits for it to read: it lives
	if err != nil {
		t.Fatal(err)
	}
	_, _ = f.WriteString("\n")
	_ = f.Close()
}

func TestWhereNothingOpensLinks(t *testing.T) {
	o, _ := opener(t, "")
	o.Env = func(string) string { return "" }
	if ok, err := o.Open(context.Background(), "https://a"); ok || err != nil {
		t.Errorf("without a screen: %t, %v", ok, err)
	}
	o, _ = opener(t, "")
	o.Look = func(string) (string, error) { return "", os.ErrNotExist }
	if ok, err := o.Open(context.Background(), "https://a"); ok || err != nil {
		t.Errorf("without a program: %t, %v", ok, err)
	}
}
