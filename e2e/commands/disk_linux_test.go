package commands

import (
	"os"
	"strings"
	"syscall"
	"testing"
)

// fullDisk runs in a mount namespace of its own.
const fullDisk = `
mount --make-rprivate / 2>/dev/null || { echo skip: no private mounts; exit 0; }
mkdir -p "$ASIDE_HOME/state"
mount -t tmpfs -o size=2m tmpfs "$ASIDE_HOME/state" 2>/dev/null || { echo skip: no tmpfs; exit 0; }
aside threads
id=$(aside new --checkout shared first)
dd if=/dev/zero of="$ASIDE_HOME/state/filler" bs=4096 2>/dev/null || true
echo full
aside new --checkout worktree --title second "$(head -c 60000 /dev/zero | tr '\0' x)" 2>&1 || echo "status $?"
echo listed
aside threads --json 2>&1 | grep -c '^    "id": "[a-z2-7]*",$' || true
git worktree list | wc -l
rm "$ASIDE_HOME/state/filler"
echo free
until aside screen "$id" | grep 'got: first'; do :; done
aside new --checkout shared third
aside threads
for id in $(aside threads --json | sed -n 's/^    "id": "\(.*\)",/\1/p'); do aside stop $id; done
`

func TestAFullDiskIsSaidAndLosesNothing(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.agent(t, `trap "exit 0" HUP TERM; echo ready; while read -r line; do echo "got: $line"; done`)
	cmd := p.command(t, "sh", "-uc", fullDisk)
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS}
	if os.Geteuid() != 0 {
		cmd.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	}
	b, err := cmd.CombinedOutput()
	out := string(b)
	if len(out) == 0 && err != nil || strings.HasPrefix(out, "skip:") {
		t.Skipf("no disk of its own is possible here: %v %s", err, out)
	}
	t.Log(out)
	_, full, _ := strings.Cut(out, "full\n")
	said, after, _ := strings.Cut(full, "listed\n")
	if !strings.Contains(said, "no room left") || !strings.Contains(said, "hint: ") || !strings.Contains(said, "status 1") {
		t.Errorf("a full disk is told as %q", said)
	}
	made, free, _ := strings.Cut(after, "free\n")
	if fields := strings.Fields(made); len(fields) != 2 || fields[0] != "1" || fields[1] != "1" {
		t.Errorf("threads and worktrees: %q", made)
	}
	if err != nil || !strings.Contains(free, "got: first") || !strings.Contains(free, "third") || strings.Contains(free, "second") {
		t.Errorf("with room again: %v: %s", err, free)
	}
}
