// Package git is the only place that runs Git. It learns the facts of a
// project's folder, makes a thread's worktree, proves it, and removes it
// again, as contracts/proposed-threads.md says under Starting and Checkout
// policy.
//
// Git runs with argument lists, a time limit and an output limit, in an
// environment without variables that point it elsewhere. A run that changes a
// repository holds a lock that is shared by all processes of aside.
//
// A repository's own configuration can name programs. Kept from running are
// hooks, in files and in the configuration, the file-system monitor, external
// diff and text conversion, signing programs, pagers, automatic maintenance,
// and ext:: remotes. What Git itself needs to read or write a file's content
// cannot be left out: the filters (filter.*.clean, smudge, process, such as
// Git LFS) of a checkout and of a look at its status, the merge drivers when
// uncommitted work is carried to another base, and in a partial clone the
// transport that fetches a missing file for a checkout.
//
// Commit, Merge, Rebase and Push are another matter: a person asked for just
// that, in the place of their own command. There the repository's hooks run,
// unless the person says no; see Finishing.
package git
