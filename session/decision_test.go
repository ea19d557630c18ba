package session

import (
	"strings"
	"testing"
)

func TestNoLineIsSaidTwice(t *testing.T) {
	for _, d := range []Decision{
		{Title: "rm -rf build", Detail: "rm -rf build"},
		{Title: "make a⏎make b", Detail: "make a\nmake b\n\n— Build both"},
		{Title: strings.Repeat("x", 199) + "…", Detail: strings.Repeat("x", 400)},
		{Title: "Migrate it", Detail: "# Migrate it\n\n1. Copy", Kind: KindPlan},
	} {
		if got := d.Whole(); got != d.Detail {
			t.Errorf("Whole = %q, want the detail alone", got)
		}
	}
	if got := (Decision{Title: "a.go", Detail: "replace: all"}).Whole(); got != "a.go\n\nreplace: all" {
		t.Errorf("Whole = %q", got)
	}
	if got := (Decision{Title: "a.go"}).Whole(); got != "a.go" {
		t.Errorf("Whole = %q", got)
	}
}
