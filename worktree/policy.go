package worktree

// The modes a decision can come to; the words of a thread's checkout.
const (
	ModeShared   = "shared"   // the project's own work tree
	ModeWorktree = "worktree" // its own branch and folder
)

// Wish is what was asked for, in the words of `aside new --checkout`.
type Wish string

// The wishes.
const (
	WishAuto     Wish = "auto"     // no explicit wish
	WishWorktree Wish = "worktree" // the card or the person asked for a worktree
	WishShared   Wish = "shared"   // the person chose shared
)

// Facts are what the policy looks at. The zero value is a folder that is in no
// Git repository.
type Facts struct {
	// Remote says that the project's files are on another machine.
	Remote bool
	// WorkTree says that the folder is inside a Git work tree.
	WorkTree bool
	// Bare says that the folder belongs to a repository without a work tree.
	Bare bool
	// Commit says that HEAD is a commit.
	Commit bool
	// Detached says that HEAD is on no branch.
	Detached bool
	// Submodules is the path of the .gitmodules file that names submodules,
	// or "".
	Submodules string
	// Never says that the project's settings want no worktrees.
	Never bool
	// Trouble says why Git could not look at the folder, as a clause, or "";
	// WorkTree is false then. Remedy is what to do about it.
	Trouble string
	Remedy  string
}

// Decision is what the policy came to.
type Decision struct {
	Mode    string // ModeShared or ModeWorktree; "" when blocked
	Blocked bool   // a separate checkout was asked for and cannot be had
	// Reason is one sentence without full stop: why it is blocked, or why the
	// checkout is shared. It is "" for a worktree.
	Reason string
	Hint   string // what to do about a block, or ""
}

// outcome is a cell of the table.
type outcome int

const (
	shared outcome = iota
	own
	blocked
)

// row is a row of the table: when it fits, what it comes to for an explicit
// wish and without one, and the words for it.
type row struct {
	fits     func(Facts, Wish) bool
	explicit outcome
	auto     outcome
	cause    func(Facts) (cause, remedy string)
}

// policy returns the table of contracts/proposed-threads.md, Checkout policy,
// in its order: the first row that fits decides.
func policy() []row {
	const choose = "start it in the shared checkout"
	say := func(cause, remedy string) func(Facts) (string, string) {
		return func(Facts) (string, string) { return cause, remedy }
	}
	return []row{
		{
			func(_ Facts, w Wish) bool { return w == WishShared },
			shared, shared,
			say("it was chosen", ""),
		},
		{
			func(f Facts, _ Wish) bool { return f.Remote },
			blocked, shared,
			say("the project is on another machine", "Open the project with aside on that machine, or "+choose),
		},
		{
			func(f Facts, _ Wish) bool { return !f.WorkTree || f.Bare },
			blocked, shared,
			func(f Facts) (string, string) {
				switch {
				case f.Trouble != "" && f.Remedy != "":
					return f.Trouble, f.Remedy + ", or " + choose
				case f.Trouble != "":
					return f.Trouble, upper(choose)
				case f.Bare:
					return "the repository is bare", "Open a work tree of this repository, or " + choose
				}
				return "the folder is not in a Git work tree", "Run git init and make a first commit, or " + choose
			},
		},
		{
			func(f Facts, _ Wish) bool { return !f.Commit },
			blocked, shared,
			say("the repository has no commit yet", "Make a first commit, or "+choose),
		},
		{
			func(f Facts, _ Wish) bool { return f.Detached },
			blocked, shared,
			say("HEAD is detached", "Switch to a branch with git switch, or "+choose),
		},
		{
			func(f Facts, _ Wish) bool { return f.Submodules != "" },
			blocked, shared,
			func(f Facts) (string, string) {
				return "the repository has submodules (" + f.Submodules + ")", upper(choose)
			},
		},
		{
			func(f Facts, _ Wish) bool { return f.Never },
			own, shared,
			say("the project's settings say so", ""),
		},
		{
			func(Facts, Wish) bool { return true },
			own, own,
			say("", ""),
		},
	}
}

// Decide returns what the checkout policy says.
func Decide(f Facts, w Wish) Decision {
	for _, r := range policy() {
		if !r.fits(f, w) {
			continue
		}
		out := r.auto
		if w == WishWorktree {
			out = r.explicit
		}
		cause, remedy := r.cause(f)
		switch out {
		case own:
			return Decision{Mode: ModeWorktree}
		case blocked:
			return Decision{
				Blocked: true,
				Reason:  "A separate checkout is not possible here: " + cause,
				Hint:    remedy,
			}
		}
		return Decision{Mode: ModeShared, Reason: "The checkout is shared: " + cause}
	}
	return Decision{Mode: ModeShared} // not reached: the last row fits everything
}

// upper returns an ASCII sentence with its first letter in upper case.
func upper(s string) string { return string(s[0]-'a'+'A') + s[1:] }
