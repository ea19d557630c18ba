package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The rules of docs/architecture.md, held by tests that parse the files
// themselves. Each rule says why it is there; read that before changing it.

const module = "aside"

// room names packages by their folder: "." is main, and a name that ends in
// /... stands for the folder and all below it.
type room string

func (r room) holds(pkg string) bool {
	if root, ok := strings.CutSuffix(string(r), "/..."); ok {
		return pkg == root || strings.HasPrefix(pkg, root+"/")
	}
	return pkg == string(r)
}

func anyHolds(rooms []room, pkg string) bool {
	return slices.ContainsFunc(rooms, func(r room) bool { return r.holds(pkg) })
}

// law is one rule of the import graph inside the module.
type law struct {
	name   string
	of     []room
	never  []room // what they may not import; nil forbids every room
	except []room // what they may import all the same
	reach  bool   // not even through another package
	reason string
}

var laws = []law{
	{
		name:   "the words import no room",
		of:     []room{"session", "worktree", "hookbridge/wire", "tui/theme"},
		reason: "every room speaks these words; whatever they import, all rooms would depend on",
	},
	{
		name:  "tui draws",
		of:    []room{"tui/..."},
		never: []room{"storage/...", "session/pty", "session/screen", "session/helper", "worktree/git", "hookbridge/..."},
		reach: true,
		reason: "the screen shows what it is handed through interfaces of its own: closing, killing or upgrading it " +
			"must not touch an agent, a file or a repository",
	},
	{
		name: "components do not know each other",
		of: []room{
			"tui/sidebar", "tui/transcript", "tui/card", "tui/decisionbar", "tui/composer", "tui/terminal", "tui/palette", "tui/review", "tui/paint",
		},
		never:  []room{"tui/..."},
		except: []room{"tui/theme", "tui/intent", "tui/cells", "tui/markdown", "tui/syntax"},
		reason: "tui.Model alone puts components together; what they share is the theme, the intents, the cells, Markdown and the parts of code",
	},
	{
		name:   "the hook is small",
		of:     []room{"hookbridge/hook/..."},
		except: []room{"hookbridge/wire", "hookbridge/hook"},
		reach:  true,
		reason: "an agent starts it on every tool call, so its start-up is the user's latency",
	},
	{
		name:   "one door for an agent's requests",
		of:     []room{"hookbridge/..."},
		never:  []room{"storage/...", "worktree/...", "session/pty", "session/helper", "session/client", "tui/..."},
		reach:  true,
		reason: "an agent's request reaches a side effect only through proposals: one door to guard and to log",
	},
	{
		name:   "proposals decides and does nothing",
		of:     []room{"proposals/..."},
		never:  []room{"storage/...", "worktree/git", "session/pty", "session/helper", "session/client", "hookbridge/...", "tui/..."},
		reach:  true,
		reason: "its effects are data, carried out by main and the helper: the rules can be tested without a world",
	},
	{
		name:   "nothing imports the tests",
		of:     []room{".", "tui/...", "session/...", "proposals/...", "worktree/...", "hookbridge/...", "storage/..."},
		never:  []room{"e2e/..."},
		reach:  true,
		reason: "the scripted model and the test terminal are no part of the product",
	},
}

// storageReaders are the importers of storage.
var storageReaders = []room{".", "session/helper", "storage/..."}

// dependency is a direct dependency with its importing room; one that several
// rooms import says why.
type dependency struct {
	path  string // import path, or the start of one
	rooms []room
	why   string
}

var dependencies = []dependency{
	{"charm.land/bubbles/v2", []room{"tui"}, "the screen has one kind of text that is read"},
	{"charm.land/bubbletea/v2", []room{"tui/...", "."}, "main creates the program and its relay sends to it"},
	{"github.com/yuin/goldmark", []room{"tui/markdown"}, ""},
	{"github.com/charmbracelet/ultraviolet", []room{"tui/..."}, ""},
	{"github.com/charmbracelet/x/ansi", []room{"tui/..."}, ""},
	{"github.com/charmbracelet/colorprofile", []room{"tui/paint"}, ""},
	{"github.com/charmbracelet/x/term", []room{"session/cli", "tui/paint"}, "both take the terminal they run on: attach for a pane, paint for the screen"},
	{"golang.org/x/term", []room{"session/cli"}, ""},
	{
		"github.com/clipperhouse/",
		[]room{"session/...", "proposals/...", "hookbridge/...", "tui/...", "e2e/..."},
		"whoever cuts or places text must measure characters alike",
	},
	{"github.com/creack/pty", []room{"session/pty"}, ""},
	{"github.com/mattn/go-sqlite3", []room{"storage"}, ""},
	{"github.com/fsnotify/fsnotify", []room{"storage"}, ""},
	{"github.com/modelcontextprotocol/go-sdk", []room{"hookbridge/mcp"}, ""},
	{"github.com/spf13/cobra", []room{"session/cli"}, ""},
	{"github.com/BurntSushi/toml", []room{"session/config"}, ""},
	{"github.com/adrg/xdg", []room{"session/config"}, ""},
	{
		"github.com/gofrs/flock",
		[]room{"worktree/git", "session/client", "session/helper"},
		"two things happen once at a time: git's work in a repository, and the start of a thread's helper",
	},
	{
		"golang.org/x/sys/",
		[]room{"session/...", "worktree/git"},
		"system calls that the standard library lacks, in the rooms at a process boundary",
	},
	{"go.uber.org/goleak", nil, "tests only"},
	{"pgregory.net/rapid", nil, "tests only"},
}

// topLevel are the folders that may hold packages.
var topLevel = []string{".", "tui", "session", "proposals", "worktree", "hookbridge", "storage", "docs", "e2e"}

// source is one parsed file.
type source struct {
	path  string // from the root of the repository
	pkg   string // its folder
	test  bool
	file  *ast.File
	lines int
}

// sources parses every Go file of the module; test data is left out.
func sources(t *testing.T, files *token.FileSet) []source {
	t.Helper()
	var all []source
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		hidden := name != "." && strings.HasPrefix(d.Name(), ".")
		if d.IsDir() && (hidden || d.Name() == "testdata" || d.Name() == "bin") {
			return filepath.SkipDir
		}
		if d.IsDir() || hidden || filepath.Ext(name) != ".go" {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(files, name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		slashed := filepath.ToSlash(name)
		all = append(all, source{
			path: slashed, pkg: path.Dir(slashed), test: strings.HasSuffix(name, "_test.go"),
			file: file, lines: files.File(file.FileStart).LineCount() - 1,
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func imports(f *ast.File) []string {
	var paths []string
	for _, i := range f.Imports {
		paths = append(paths, strings.Trim(i.Path.Value, `"`))
	}
	return paths
}

// inside returns the folder of an import of this module.
func inside(imported string) (pkg string, ok bool) {
	if imported == module {
		return ".", true
	}
	return strings.CutPrefix(imported, module+"/")
}

// graph maps each package to the packages of the module that it imports, each
// with the file that does. What only tests import is left out.
type graph map[string]map[string]string

func importGraph(all []source) graph {
	g := graph{}
	for _, s := range all {
		if s.test {
			continue
		}
		if g[s.pkg] == nil {
			g[s.pkg] = map[string]string{}
		}
		for _, i := range imports(s.file) {
			if to, ok := inside(i); ok {
				g[s.pkg][to] = s.path
			}
		}
	}
	return g
}

// breach is one way from a package to one it may not import.
type breach struct {
	way  []string // packages, from the first to the forbidden one
	file string   // of the first import on the way
}

// breaches returns the shortest way to each package that the law forbids.
func (g graph) breaches(l law, from string) []breach {
	var found []breach
	seen := map[string]bool{from: true}
	for queue := [][]string{{from}}; len(queue) > 0; queue = queue[1:] {
		way := queue[0]
		for _, to := range slices.Sorted(maps.Keys(g[way[len(way)-1]])) {
			if seen[to] {
				continue
			}
			seen[to] = true
			next := append(slices.Clone(way), to)
			forbidden := l.never == nil || anyHolds(l.never, to)
			if forbidden && !anyHolds(l.except, to) {
				found = append(found, breach{next, g[from][next[1]]})
			} else if l.reach {
				queue = append(queue, next)
			}
		}
	}
	return found
}

func (g graph) judge(laws []law) []string {
	var verdicts []string
	for _, l := range laws {
		for _, pkg := range slices.Sorted(maps.Keys(g)) {
			if !anyHolds(l.of, pkg) {
				continue
			}
			for _, b := range g.breaches(l, pkg) {
				verdicts = append(verdicts, fmt.Sprintf("%s: %s\n\trule: %s\n\twhy: %s",
					b.file, strings.Join(b.way, " → "), l.name, l.reason))
			}
		}
	}
	return verdicts
}

func TestImportLaw(t *testing.T) {
	g := importGraph(sources(t, token.NewFileSet()))
	for _, verdict := range g.judge(laws) {
		t.Error(verdict)
	}
	for pkg, imported := range g {
		if file, ok := imported["storage"]; ok && !anyHolds(storageReaders, pkg) {
			t.Errorf("%s: imports storage\n\trule: only main and session/helper import storage\n\t"+
				"why: everything else is handed what it needs and can be tested without a database", file)
		}
	}
}

// The law is only as good as the code that reads it: each rule must find a
// breach that is there.
func TestImportLawFindsBreaches(t *testing.T) {
	g := graph{
		".":               {"session": "main.go", "storage": "main.go"},
		"session":         {"session/agent": "session/x.go"},
		"session/client":  {"session/pty": "session/client/x.go"},
		"session/agent":   {},
		"tui":             {"tui/card": "tui/x.go", "session/client": "tui/x.go"},
		"tui/card":        {"tui/theme": "tui/card/x.go", "tui/sidebar": "tui/card/x.go"},
		"hookbridge":      {"hookbridge/wire": "hookbridge/x.go", "worktree/git": "hookbridge/x.go"},
		"hookbridge/hook": {"hookbridge/wire": "hookbridge/hook/x.go", "session": "hookbridge/hook/x.go"},
		"proposals":       {"session": "proposals/x.go", "proposals/actions": "proposals/x.go", "storage": "proposals/x.go"},
	}
	var got []string
	for _, v := range g.judge(laws) {
		got = append(got, strings.Split(v, "\n")[0])
	}
	want := []string{
		"session/x.go: session → session/agent",
		"tui/x.go: tui → session/client → session/pty",
		"tui/card/x.go: tui/card → tui/sidebar",
		"hookbridge/hook/x.go: hookbridge/hook → session",
		"hookbridge/x.go: hookbridge → worktree/git",
		"proposals/x.go: proposals → storage",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// dependencyOf returns the entry with the longest path that the import has.
func dependencyOf(imported string) (dependency, bool) {
	var found []dependency
	for _, d := range dependencies {
		if imported == d.path || strings.HasPrefix(imported, strings.TrimSuffix(d.path, "/")+"/") {
			found = append(found, d)
		}
	}
	if len(found) == 0 {
		return dependency{}, false
	}
	return slices.MaxFunc(found, func(a, b dependency) int { return cmp.Compare(len(a.path), len(b.path)) }), true
}

func TestEachDependencyHasItsRoom(t *testing.T) {
	for _, s := range sources(t, token.NewFileSet()) {
		if s.test {
			continue
		}
		for _, i := range imports(s.file) {
			if _, ours := inside(i); ours || !strings.Contains(strings.Split(i, "/")[0], ".") {
				continue
			}
			d, known := dependencyOf(i)
			switch {
			case !known:
				t.Errorf("%s: imports %s\n\trule: a direct dependency has one importing room\n\t"+
					"to do: give it one in this file, and a line in docs/architecture.md that says why it was chosen", s.path, i)
			case !anyHolds(d.rooms, s.pkg):
				t.Errorf("%s: imports %s\n\trule: its rooms are %q %s\n\t"+
					"why: it can be replaced, or its fault found, in one place", s.path, i, d.rooms, d.why)
			}
		}
	}
}

func TestPackagesHaveACommentAndANameThatSaysSomething(t *testing.T) {
	commented := map[string]bool{}
	for _, s := range sources(t, token.NewFileSet()) {
		if !slices.Contains(topLevel, strings.Split(s.pkg, "/")[0]) {
			t.Errorf("%s: the top level is fixed: %q", s.path, topLevel)
		}
		if slices.Contains([]string{"util", "utils", "common", "helpers", "types"}, path.Base(s.pkg)) {
			t.Errorf("%s: a package is named after what it is about; %s could hold anything", s.path, path.Base(s.pkg))
		}
		if !s.test {
			commented[s.pkg] = commented[s.pkg] || s.file.Doc != nil
		}
	}
	for pkg, ok := range commented {
		if !ok {
			t.Errorf("package %s has no comment: say what it is for", pkg)
		}
	}
}

func TestFilesEndBy600Lines(t *testing.T) {
	for _, s := range sources(t, token.NewFileSet()) {
		if s.lines > 600 && !ast.IsGenerated(s.file) {
			t.Errorf("%s has %d lines: it holds more than one thing", s.path, s.lines)
		}
	}
}

func TestTestsDoNotSleep(t *testing.T) {
	files := token.NewFileSet()
	for _, s := range sources(t, files) {
		if !s.test && !strings.HasPrefix(s.pkg, "e2e") && s.pkg != "tui/tuitest" {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			call, ok := n.(*ast.SelectorExpr)
			if ok && call.Sel.Name == "Sleep" && isName(call.X, "time") {
				t.Errorf("%s: a test waits for what it waits for: time.Sleep is too short on a busy machine "+
					"and too long on every other", files.Position(n.Pos()))
			}
			return true
		})
	}
}

func isName(e ast.Expr, name string) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == name
}

func TestTuiReachesItsTerminalThroughPaint(t *testing.T) {
	late := []string{
		"SetClipboard", "SetPrimaryClipboard", "ReadClipboard", "ReadPrimaryClipboard", "RequestBackgroundColor",
		"RequestForegroundColor", "RequestCursorColor", "RequestCursorPosition", "RequestTerminalVersion", "RequestCapability",
		"RequestWindowSize", "ClearScreen", "Printf", "Println", "Suspend",
	}
	files := token.NewFileSet()
	for _, s := range sources(t, files) {
		if s.test || !room("tui/...").holds(s.pkg) {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			use, ok := n.(*ast.SelectorExpr)
			if ok && isName(use.X, "tea") && slices.Contains(late, use.Sel.Name) {
				t.Errorf("%s: without Bubble Tea's renderer this comes up to a second late, or not at all; tea.Raw is written at once",
					files.Position(n.Pos()))
			}
			return true
		})
	}
}

func TestTuiStartsNoGoroutine(t *testing.T) {
	files := token.NewFileSet()
	for _, s := range sources(t, files) {
		// paint has the terminal, not the model, and must not wait for ever for
		// one that takes nothing.
		if s.test || !room("tui/...").holds(s.pkg) || anyHolds([]room{"tui/tuitest", "tui/paint"}, s.pkg) {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			if _, ok := n.(*ast.GoStmt); ok {
				t.Errorf("%s: commands and main's relay are the only concurrency of the screen; "+
					"a goroutine here would change the model behind Update's back", files.Position(n.Pos()))
			}
			return true
		})
	}
}

func TestTestFunctionsEndBy120Lines(t *testing.T) {
	files := token.NewFileSet()
	for _, s := range sources(t, files) {
		for _, d := range s.file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || !s.test {
				continue
			}
			if n := files.Position(f.End()).Line - files.Position(f.Pos()).Line + 1; n > 120 {
				t.Errorf("%s: %s has %d lines: a test tells one story", files.Position(f.Pos()), f.Name.Name, n)
			}
		}
	}
}
