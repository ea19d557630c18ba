package worktree

// Diff is what a checkout's files are besides a base: committed or not,
// untracked ones too. All of it is a repository's own text and only to be
// shown through session.Mark.
type Diff struct {
	Base string `json:"base"` // full commit id, or that of the empty tree
	// Against names the branch that the work goes into, where that has all
	// there is in Base. It is a repository's own text too.
	Against string     `json:"against,omitempty"`
	Files   []FileDiff `json:"files"` // in the order of their paths
	// LeftOut counts untracked files that are not among Files, since there
	// are too many.
	LeftOut int `json:"left_out,omitempty"`
}

// FileStatus says what became of a file.
type FileStatus string

// The states of a file in a diff.
const (
	FileAdded    FileStatus = "added"
	FileDeleted  FileStatus = "deleted"
	FileModified FileStatus = "modified"
	FileRenamed  FileStatus = "renamed"
	FileRetyped  FileStatus = "retyped" // a file became a link, or the like
	FileUnmerged FileStatus = "unmerged"
)

// FileDiff is one file of a diff.
type FileDiff struct {
	Path   string     `json:"path"`
	Old    string     `json:"old,omitempty"` // renamed: the path it had
	Status FileStatus `json:"status"`
	// OldMode and NewMode are Git's, such as 100644 and 100755, or "" where
	// there is no file.
	OldMode string `json:"old_mode,omitempty"`
	NewMode string `json:"new_mode,omitempty"`
	// Binary files and those too large to be compared have no hunks.
	Binary  bool   `json:"binary,omitempty"`
	Large   bool   `json:"large,omitempty"`
	Added   int    `json:"added"` // lines
	Deleted int    `json:"deleted"`
	Hunks   []Hunk `json:"hunks,omitempty"`
	// Cut says that there are more lines than Hunks have.
	Cut bool `json:"cut,omitempty"`
}

// Submodule says that the file is a commit of another repository.
func (f FileDiff) Submodule() bool { return f.OldMode == modeCommit || f.NewMode == modeCommit }

const modeCommit = "160000" // gitmodules(5) calls it a gitlink

// Hunk is a run of lines of a file.
type Hunk struct {
	Header string `json:"header"` // the lines it is about, and what they are in: "@@ -1,2 +1,3 @@ func f()"
	Lines  []Line `json:"lines"`
}

// LineKind says on which sides of a diff a line is.
type LineKind string

// The kinds of a line.
const (
	LineContext LineKind = " "
	LineAdded   LineKind = "+"
	LineDeleted LineKind = "-"
)

// Line is one line of a hunk.
type Line struct {
	Kind LineKind `json:"kind"`
	Text string   `json:"text"` // without its line feed
	Old  int      `json:"old,omitempty"`
	New  int      `json:"new,omitempty"` // its numbers on both sides, from 1; 0 where it is not
	// Cut says that the line is longer than Text.
	Cut bool `json:"cut,omitempty"`
	// Open says that the file ends without a line feed behind it.
	Open bool `json:"open,omitempty"`
}

// Tally is what a thread's checkout has changed, for a list.
type Tally struct {
	Branch  string `json:"branch,omitempty"` // that is checked out, or "" when detached
	Files   int    `json:"files"`
	Added   int    `json:"added"` // lines
	Deleted int    `json:"deleted"`
}
