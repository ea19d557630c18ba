package worktree

import (
	"strings"
	"testing"
)

// good returns facts under which nothing stands against a worktree.
func good() Facts { return Facts{WorkTree: true, Commit: true} }

func TestDecideEveryRow(t *testing.T) {
	with := func(change func(*Facts)) Facts {
		f := good()
		change(&f)
		return f
	}
	const isBlocked = "blocked"
	for _, c := range []struct {
		name           string
		facts          Facts
		explicit, auto string
		says           string // in the reason of the block
	}{
		{"remote", with(func(f *Facts) { f.Remote = true }), isBlocked, ModeShared, "on another machine"},
		{"no repository", Facts{}, isBlocked, ModeShared, "not in a Git work tree"},
		{"bare", with(func(f *Facts) { f.WorkTree, f.Bare = false, true }), isBlocked, ModeShared, "bare"},
		{"trouble", Facts{Trouble: "Git was not found"}, isBlocked, ModeShared, "Git was not found"},
		{"no commit", with(func(f *Facts) { f.Commit = false }), isBlocked, ModeShared, "no commit yet"},
		{"detached", with(func(f *Facts) { f.Detached = true }), isBlocked, ModeShared, "detached"},
		{"submodules", with(func(f *Facts) { f.Submodules = ".gitmodules" }), isBlocked, ModeShared, ".gitmodules"},
		{"never", with(func(f *Facts) { f.Never = true }), ModeWorktree, ModeShared, ""},
		{"otherwise", good(), ModeWorktree, ModeWorktree, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			check := func(wish Wish, want string) {
				t.Helper()
				d := Decide(c.facts, wish)
				got := d.Mode
				if d.Blocked {
					got = isBlocked + d.Mode // a blocked decision has no mode
				}
				if got != want {
					t.Errorf("wish %s: got %q, want %q", wish, got, want)
				}
			}
			check(WishShared, ModeShared)
			check(WishWorktree, c.explicit)
			check(WishAuto, c.auto)

			if d := Decide(c.facts, WishWorktree); d.Blocked {
				if !strings.HasPrefix(d.Reason, "A separate checkout is not possible here: ") || !strings.Contains(d.Reason, c.says) {
					t.Errorf("reason %q", d.Reason)
				}
				if !strings.Contains(d.Hint, "shared checkout") {
					t.Errorf("hint %q does not say what can be done", d.Hint)
				}
			}
			if d := Decide(c.facts, WishAuto); d.Mode == ModeShared && d.Reason == "" {
				t.Error("a shared checkout has no reason")
			}
		})
	}
}

// The order of the rows is the contract: an earlier one names the reason.
func TestDecideFirstRowWins(t *testing.T) {
	all := Facts{Remote: true, Bare: true, Detached: true, Submodules: ".gitmodules", Never: true}
	for _, c := range []struct {
		say    string
		remove func()
	}{
		{"another machine", func() { all.Remote = false }},
		{"bare", func() { all.Bare = false }},
		{"not in a Git work tree", func() { all.WorkTree = true }},
		{"no commit", func() { all.Commit = true }},
		{"detached", func() { all.Detached = false }},
		{"submodules", func() { all.Submodules = "" }},
	} {
		d := Decide(all, WishWorktree)
		if !d.Blocked || !strings.Contains(d.Reason, c.say) {
			t.Fatalf("want %q blocked first, got %+v", c.say, d)
		}
		c.remove()
	}
	if d := Decide(all, WishWorktree); d.Mode != ModeWorktree {
		t.Errorf("never is overruled by an explicit wish, got %+v", d)
	}
}

func TestTroubleKeepsItsRemedy(t *testing.T) {
	d := Decide(Facts{Trouble: "Git was not found", Remedy: "Install Git"}, WishWorktree)
	if d.Hint != "Install Git, or start it in the shared checkout" {
		t.Errorf("hint %q", d.Hint)
	}
}
