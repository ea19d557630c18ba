package git

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"aside/session"
)

// Standing is what finishing a thread's branch depends on.
type Standing struct {
	Branch string // that is checked out
	Head   string // full commit id
	// Uncommitted and Untracked count files that a commit would take. A
	// repository within the checkout is not taken: Nested counts those.
	Uncommitted, Untracked, Nested int
	Operation                      string // what is under way, such as "a rebase", or ""

	Into     string // the branch that the work would be merged into, or ""
	IntoHead string
	// IntoTree is the work tree that has Into checked out, or "", and IntoBusy
	// why it cannot take a merge now, or "".
	IntoTree, IntoBusy string
	Ahead, Behind      int // commits of the branch that Into does not have, and the other way round

	Remote    string // that the branch would be pushed to, or ""
	RemoteURL string
	// Pushed says that the remote has the branch as it is, and Parted that it
	// has commits of it that are not the branch's any more, both as of the
	// last contact.
	Pushed, Parted bool

	// Hooks are the repository's own that Git would run at a commit, a merge,
	// a rebase or a push, by name, and OwnHooks the files among those that
	// the branch itself has changed.
	Hooks, OwnHooks []string
	Signs           bool // the user's commits are to be signed
}

// Standing looks at the checkout in dir, which began at base. into names the
// branch to merge into; "" is the one that is checked out in repo, the
// project's folder, and where that is the same the project's default branch.
func (g *Git) Standing(ctx context.Context, repo, dir, base, into string) (Standing, error) {
	s, err := g.standing(ctx, repo, dir, base, into)
	return s, failed("The checkout could not be examined", "", err)
}

func (g *Git) standing(ctx context.Context, repo, dir, base, into string) (Standing, error) {
	var s Standing
	in, err := g.locate(ctx, dir)
	if err != nil {
		return s, err
	}
	if in.Top == "" {
		return s, &session.Error{Code: session.CodeBlocked, Message: "The folder " + plain(dir) + " is not in a Git work tree"}
	}
	st, err := g.status(ctx, in.Top, "--ignore-submodules=dirty", "--untracked-files=all")
	if err != nil {
		return s, err
	}
	s.Branch, s.Head, s.Uncommitted = st.branch, st.head, len(st.uncommitted)
	for _, path := range st.untracked {
		if strings.HasSuffix(path, "/") {
			s.Nested++
		} else {
			s.Untracked++
		}
	}
	if s.Operation, err = g.operation(ctx, in.Top); err != nil {
		return s, err
	}
	if s.Branch == "" || s.Head == "" {
		return s, &session.Error{
			Code: session.CodeBlocked, Message: "The checkout " + plain(in.Top) + " is on no branch with commits",
			Hint: "Switch to the branch that the work belongs on",
		}
	}
	for _, look := range []func(context.Context, *Standing, string) error{
		func(ctx context.Context, s *Standing, top string) error { return g.lookInto(ctx, s, repo, top, into) },
		g.lookRemote,
		func(ctx context.Context, s *Standing, top string) error { return g.lookHooks(ctx, s, top, base) },
	} {
		if err := look(ctx, &s, in.Top); err != nil {
			return s, err
		}
	}
	return s, nil
}

// lookInto looks at the branch to merge into.
func (g *Git) lookInto(ctx context.Context, s *Standing, repo, top, into string) error {
	var err error
	if s.Into = into; into == "" {
		if s.Into, err = g.target(ctx, repo, top, s.Branch); err != nil || s.Into == "" {
			return err
		}
	}
	ref := "refs/heads/" + s.Into
	if s.IntoHead, err = g.line(ctx, top, "rev-parse", "--verify", "--quiet", "--end-of-options", ref+"^{commit}"); err != nil {
		if into == "" {
			s.Into = "" // the default branch is one of origin's only
			return ctx.Err()
		}
		return &session.Error{Code: session.CodeNotFound, Message: "There is no branch " + plain(into), Cause: err}
	}
	if s.Ahead, err = g.count(ctx, top, s.Head, "^"+s.IntoHead); err != nil {
		return err
	}
	if s.Behind, err = g.count(ctx, top, s.IntoHead, "^"+s.Head); err != nil {
		return err
	}
	list, err := g.entries(ctx, top)
	if err != nil {
		return err
	}
	for _, e := range list {
		if e.branch == s.Into && exists(e.path) {
			s.IntoTree = e.path
			s.IntoBusy, err = g.busy(ctx, e.path)
			return err
		}
	}
	return nil
}

// manyBranches is how many branches are named at most.
const manyBranches = 200

// Branches returns the names of the branches that the work in dir, a checkout
// of repo, can go into: the one it goes into when nobody says which before
// the others, and those by the age of their last commits.
func (g *Git) Branches(ctx context.Context, repo, dir string) ([]string, error) {
	names, err := g.branches(ctx, repo, dir)
	return names, failed("The branches could not be listed", "", err)
}

func (g *Git) branches(ctx context.Context, repo, dir string) ([]string, error) {
	branch, err := g.line(ctx, dir, "symbolic-ref", "--quiet", "--short", "HEAD")
	if err != nil && !isStatus(err, 1) {
		return nil, err
	}
	first, err := g.target(ctx, repo, dir, branch)
	if err != nil {
		return nil, err
	}
	out, err := g.line(ctx, dir, "for-each-ref", "--sort=-committerdate", "--format=%(refname:lstrip=2)",
		"--count="+strconv.Itoa(manyBranches), "--", "refs/heads/")
	if err != nil {
		return nil, err
	}
	var names []string
	if first != "" {
		names = append(names, first)
	}
	for name := range strings.FieldsSeq(out) {
		if name != branch && name != first {
			names = append(names, name)
		}
	}
	return names, nil
}

// target returns the branch that work on another one is merged into, when
// nobody says which.
func (g *Git) target(ctx context.Context, repo, top, branch string) (string, error) {
	own, err := g.line(ctx, repo, "symbolic-ref", "--quiet", "--short", "HEAD")
	if err != nil && !isStatus(err, 1) {
		return "", err
	}
	if own != "" && own != branch {
		return own, nil
	}
	name, err := g.defaultBranch(ctx, top)
	if err != nil || name == branch || strings.HasPrefix(name, "origin/") {
		return "", err
	}
	return name, nil
}

// busy says why a work tree cannot take a merge.
func (g *Git) busy(ctx context.Context, tree string) (string, error) {
	s, err := g.status(ctx, tree, "--ignore-submodules=dirty")
	if err != nil {
		return "", err
	}
	if len(s.uncommitted) > 0 {
		return strings.Join(counts(len(s.uncommitted), 0, 0), ", "), nil
	}
	op, err := g.operation(ctx, tree)
	if op != "" {
		op += " under way"
	}
	return op, err
}

// lookRemote finds the remote as git-push(1) does, or else the only one, or
// origin.
func (g *Git) lookRemote(ctx context.Context, s *Standing, top string) error {
	out, err := g.line(ctx, top, "remote")
	if err != nil {
		return err
	}
	remotes := strings.Fields(out)
	for _, key := range []string{"branch." + s.Branch + ".pushRemote", "remote.pushDefault", "branch." + s.Branch + ".remote"} {
		name, err := g.line(ctx, top, "config", "--get", key)
		if err != nil && !isStatus(err, 1) {
			return err
		}
		if slices.Contains(remotes, name) {
			s.Remote = name
			break
		}
	}
	switch {
	case s.Remote != "":
	case len(remotes) == 1:
		s.Remote = remotes[0]
	case slices.Contains(remotes, "origin"):
		s.Remote = "origin"
	default:
		return nil
	}
	if s.RemoteURL, err = g.line(ctx, top, "remote", "get-url", "--push", "--", s.Remote); err != nil {
		return err
	}
	there, err := g.line(ctx, top, "rev-parse", "--verify", "--quiet", "--end-of-options",
		"refs/remotes/"+s.Remote+"/"+s.Branch+"^{commit}")
	if err != nil {
		return ctx.Err() // it is not there
	}
	s.Pushed = there == s.Head
	lost, err := g.count(ctx, top, there, "^"+s.Head)
	s.Parted = lost > 0
	return err
}

// hookNames are those that Git can run at what finishing does (githooks(5)).
func hookNames() []string {
	return []string{
		"pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "pre-merge-commit", "post-merge",
		"pre-rebase", "post-rewrite", "post-checkout", "pre-push", "reference-transaction",
	}
}

// lookHooks finds the repository's hooks, and those that the branch changed.
func (g *Git) lookHooks(ctx context.Context, s *Standing, top, base string) error {
	// Without the setting that keeps them from running.
	out, err := g.run(ctx, call{dir: top, args: []string{"rev-parse", "--path-format=absolute", "--git-path", "hooks"}, hooks: true})
	if err != nil {
		return err
	}
	dir := strings.TrimSuffix(string(out), "\n")
	for _, name := range hookNames() {
		if info, err := os.Stat(filepath.Join(dir, name)); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			s.Hooks = append(s.Hooks, name)
		}
	}
	named, err := g.line(ctx, top, "config", "--name-only", "--get-regexp", `^hook\..*\.command$`)
	if err != nil && !isStatus(err, 1) {
		return err
	}
	s.Hooks = append(s.Hooks, strings.Fields(named)...)
	signs, err := g.line(ctx, top, "config", "--type=bool", "--get-all", "commit.gpgSign")
	if err != nil {
		return err
	}
	// The last value is that of every run.
	s.Signs = strings.HasSuffix(signs, "true\nfalse")
	rel, err := filepath.Rel(top, dir)
	if err != nil || !filepath.IsLocal(rel) || rel == ".git" || strings.HasPrefix(rel, ".git/") {
		return nil
	}
	changed, err := g.Diff(ctx, top, base)
	for _, f := range changed.Files {
		if strings.HasPrefix(f.Path, filepath.ToSlash(rel)+"/") {
			s.OwnHooks = append(s.OwnHooks, f.Path)
		}
	}
	return err
}
