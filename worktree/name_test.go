package worktree

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestSlug(t *testing.T) {
	for title, want := range map[string]string{
		"Make the settings loader report bad input": "make-the-settings-loader-report-bad-input",
		"Fix: it's  broken (again)!":                "fix-its-broken-again",
		"Prüfe den Lader":                           "prfe-den-lader",
		"日本語":                                       "thread",
		"":                                          "thread",
		"--..//":                                    "thread",
		"a.lock":                                    "a-lock",
		"../../etc/passwd":                          "etc-passwd",
		strings.Repeat("abcdef ", 9):                "abcdef-abcdef-abcdef-abcdef-abcdef-abcdef",
	} {
		if got := Slug(title); got != want {
			t.Errorf("Slug(%q) = %q, want %q", title, got, want)
		}
	}
}

func TestBranch(t *testing.T) {
	b := Branch("Rename the flag", "k3j7q2abcd")
	if b != "aside/rename-the-flag-k3j7q2" {
		t.Errorf("branch %q", b)
	}
	if Numbered(b, 1) != b || Numbered(b, 2) != b+"-2" || Numbered(b, 13) != b+"-13" {
		t.Error("numbered names are wrong")
	}
}

func TestNamesHold(t *testing.T) {
	// What git check-ref-format lets through is a superset of this.
	valid := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	rapid.Check(t, func(t *rapid.T) {
		title := rapid.String().Draw(t, "title")
		id := rapid.String().Draw(t, "id")
		if s := Slug(title); !valid.MatchString(s) || len(s) > 42 {
			t.Fatalf("slug %q of %q", s, title)
		}
		b := Branch(title, id)
		rest, ok := strings.CutPrefix(b, "aside/")
		if !ok || !valid.MatchString(rest) || len(rest) > 42+1+6 {
			t.Fatalf("branch %q", b)
		}
		f := Folder("/data", "/src/"+title, id)
		if rel, err := filepath.Rel("/data", f); err != nil || strings.Count(rel, "/") != 1 || strings.Contains(rel, "..") {
			t.Fatalf("folder %q", f)
		}
	})
}

func TestProjectsOfOneNameHaveTheirOwnFolders(t *testing.T) {
	a, b := ProjectFolder("/home/ada/app"), ProjectFolder("/home/bob/app")
	if a == b || !strings.HasPrefix(a, "app-") || !strings.HasPrefix(b, "app-") {
		t.Errorf("%q and %q", a, b)
	}
	if ProjectFolder("/home/ada/app/") != a {
		t.Error("a trailing slash makes another folder")
	}
}
