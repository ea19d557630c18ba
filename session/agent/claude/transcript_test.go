package claude_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aside/session/agent"
	"aside/session/agent/claude"
	"aside/session/transcript"
)

func readAll(t *testing.T, path string) []agent.Item {
	t.Helper()
	items, next, err := claude.Reader{}.Read(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if next != info.Size() {
		t.Errorf("read to %d of %d", next, info.Size())
	}
	return items
}

// tell writes items as one line each.
func tell(items []agent.Item) string {
	var b strings.Builder
	for _, i := range items {
		switch {
		case i.Update != nil:
			b.WriteString("  -> ")
			if i.Update.Failed {
				b.WriteString("failed: ")
			}
			b.WriteString(i.Update.Output)
		case i.Entry.Kind == transcript.KindTool:
			b.WriteString("tool " + i.Entry.Tool + ": " + strings.ReplaceAll(i.Entry.Input, "\n", "|"))
		default:
			b.WriteString(string(i.Entry.Kind) + ": " + i.Entry.Text)
			if i.Entry.Failed {
				b.WriteString(" (failed)")
			}
		}
		if i.Entry != nil && i.Entry.Depth > 0 {
			b.WriteString(" (sub-agent)")
		}
		if i.Interrupted {
			b.WriteString(" (turn interrupted)")
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestRecords(t *testing.T) {
	const rejected = "  -> failed: The user doesn't want to proceed with this tool use. The tool use was rejected " +
		"(eg. if it was a file edit, the new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed.\n"
	for name, want := range map[string]string{
		"session": `assistant: I look first.
tool Bash: printf '\033[31mred\033[0m\n'; ls||— List files
  -> red
a.txt
tool Edit: a.txt||-hello|+bye
  -> The file /home/user/project/a.txt has been updated successfully.
tool Bash: ls /nonexistent||— List
  -> failed: Leave it.
  -> Offered.
assistant: I offered it and am **done**.
`,
		"interrupted": "assistant: Both now.\ntool Bash: touch p1||— One\ntool Bash: touch p2||— Two\ntool Bash: touch p1||— One\n" +
			rejected + rejected + rejected + "notice: Interrupted (failed) (turn interrupted)\n",
		"subagent": `tool Bash: touch sub.txt||— Sub (sub-agent)
  -> (Bash completed with no output)
assistant: Sub report. (sub-agent)
`,
		"error": "notice: API Error: 400 nope (failed)\n",
		"plan":  "tool ExitPlanMode: Plan|# Plan|1. do it|2. test\n  -> failed: Make it shorter\nassistant: ok\n",
	} {
		t.Run(name, func(t *testing.T) {
			if got := tell(readAll(t, filepath.Join("testdata", "transcript", name+".jsonl"))); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func TestEveryEntryHasAKeyAndATime(t *testing.T) {
	keys := map[string]bool{}
	for _, i := range readAll(t, filepath.Join("testdata", "transcript", "session.jsonl")) {
		if e := i.Entry; e != nil {
			if e.Key == "" || keys[e.Key] || e.At.IsZero() {
				t.Errorf("entry %+v", e)
			}
			keys[e.Key] = true
			if e.Kind == transcript.KindTool && e.CallID == "" {
				t.Errorf("entry %+v", e)
			}
		}
	}
}

// However the file grows, and wherever a read falls, the same is told once.
func TestReadingWhileItIsWritten(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "transcript", "session.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if items, next, err := (claude.Reader{}).Read(path, 0); err != nil || len(items) > 0 || next != 0 {
		t.Fatalf("a file that is not there: %v, %d, %v", items, next, err)
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	var got []agent.Item
	var offset int64
	for len(data) > 0 {
		n := min(len(data), 700)
		if _, err := f.Write(data[:n]); err != nil {
			t.Fatal(err)
		}
		data = data[n:]
		items, next, err := claude.Reader{}.Read(path, offset)
		if err != nil {
			t.Fatal(err)
		}
		got, offset = append(got, items...), next
	}
	if want := tell(readAll(t, filepath.Join("testdata", "transcript", "session.jsonl"))); tell(got) != want {
		t.Errorf("got\n%s\nwant\n%s", tell(got), want)
	}
}

func TestOddLinesAreSkipped(t *testing.T) {
	line := func(uuid, text string) string {
		return `{"type":"assistant","uuid":"` + uuid + `","timestamp":"2026-11-29T21:00:00Z","message":{"content":[{"type":"text","text":"` + text + `"}]}}` + "\n"
	}
	file := strings.Join([]string{
		line("a", "before"),
		"not JSON\n", "\n", "[1,2]\n", `{"type":7}` + "\n", `{"type":"assistant","message":"text"}` + "\n",
		`{"type":"assistant","message":{"content":[{"type":"hologram","text":"x"},{"type":"thinking","thinking":"hm"}]}}` + "\n",
		`{"type":"user","isMeta":true,"message":{"content":[{"type":"text","text":"[Request interrupted by user]"}]}}` + "\n",
		line("huge", strings.Repeat("x", 9<<20)),
		line("b", `after\u001b[31m red\u202e`),
		`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"two"},{"type":"image"}]}]}}` + "\n",
		`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t2","content":"` + strings.Repeat("é", 40<<10) + `"}]}}` + "\n",
		strings.TrimSuffix(line("c", "half"), "\n"),
	}, "")
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	var got []agent.Item
	var offset int64
	for {
		items, next, err := claude.Reader{}.Read(path, offset)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, items...)
		if next == offset {
			break
		}
		offset = next
	}
	if want := int64(strings.LastIndex(file, "\n") + 1); offset != want {
		t.Errorf("read to %d, want %d: the half-written line is left for later", offset, want)
	}
	if len(got) != 4 || got[0].Entry.Text != "before" || got[1].Entry.Text != "after red" || got[2].Update.Output != "two\n(image)" {
		t.Fatalf("got\n%s", tell(got[:min(len(got), 3)]))
	}
	if out := got[3].Update.Output; len(out) > 33<<10 || !strings.HasSuffix(out, "é\n…") {
		t.Errorf("a long output of %d bytes ends in %q", len(out), out[max(0, len(out)-10):])
	}
}

func FuzzRead(f *testing.F) {
	for _, name := range []string{"session", "interrupted", "subagent"} {
		data, err := os.ReadFile(filepath.Join("testdata", "transcript", name+".jsonl"))
		if err != nil {
			f.Fatal(err)
		}
		for line := range bytes.Lines(data) {
			f.Add(line)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "s.jsonl")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		items, next, err := claude.Reader{}.Read(path, 0)
		if err != nil || next > int64(len(data)) {
			t.Fatalf("next %d, %v", next, err)
		}
		for _, i := range items {
			if (i.Entry == nil) == (i.Update == nil) {
				t.Fatalf("item %+v", i)
			}
		}
	})
}
