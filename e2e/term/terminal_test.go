package term_test

import (
	"context"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"aside/e2e/term"
)

func start(t *testing.T, theme term.Theme, script string) *term.Terminal {
	t.Helper()
	tm, err := term.Start(term.Options{
		Command: []string{"/bin/sh", "-c", script}, Dir: t.TempDir(), Cols: 40, Rows: 10, Theme: theme,
		Env: []string{"PATH=" + os.Getenv("PATH"), "TERM=xterm-256color", "LANG=C.UTF-8"},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := tm.Close(deadline(t)); err != nil {
			t.Error(err)
		}
	})
	return tm
}

func deadline(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func see(t *testing.T, tm *term.Terminal, pattern string) {
	t.Helper()
	must(t, tm.WaitFor(deadline(t), pattern))
}

// raw shows what the program reads, byte by byte.
const raw = `stty raw -echo; printf 'ready\r\n'; cat -v`

func TestTypingReachesTheProgram(t *testing.T) {
	tm := start(t, term.Dark, raw)
	see(t, tm, "ready")
	must(t, tm.Type("Ab ä"))
	must(t, tm.Key("up", "ctrl+c", "esc", "x"))
	see(t, tm, `^Ab M-CM-\$\^\[\[A\^C\^\[x$`)
}

func TestKeysThatDoNotExistAreNamed(t *testing.T) {
	tm := start(t, term.Dark, raw)
	for _, name := range []string{"", "cntrl+x", "f99", "entr"} {
		if err := tm.Key(name); err == nil || !strings.Contains(err.Error(), `"`+name+`"`) {
			t.Errorf("key %q: %v", name, err)
		}
	}
	must(t, tm.Key("+", "ctrl++", "shift+tab", "f12", "alt+x"))
}

func TestClicksReachAProgramThatAskedForTheMouse(t *testing.T) {
	tm := start(t, term.Dark, `printf '\033[?1000h\033[?1006hone\r\ntwo [ok]\r\n'; stty raw -echo; printf 'ready\r\n'; cat -v`)
	see(t, tm, "ready")
	must(t, tm.ClickOn("[ok]"))
	see(t, tm, `\^\[\[<0;7;2M\^\[\[<0;7;2m`)
	must(t, tm.Wheel(3, 0, -1))
	see(t, tm, `\^\[\[<64;4;1M`)
	if err := tm.ClickOn("[cancel]"); err == nil || !strings.Contains(err.Error(), "two [ok]") {
		t.Errorf("a click on nothing: %v", err)
	}
}

func TestPasteIsBracketedWhenTheProgramWantsIt(t *testing.T) {
	tm := start(t, term.Dark, `printf '\033[?2004h'; `+raw)
	see(t, tm, "ready")
	must(t, tm.Paste("a b"))
	see(t, tm, `\^\[\[200~a b\^\[\[201~`)
}

func TestQuestionsToTheTerminalAreAnswered(t *testing.T) {
	tm := start(t, term.Light, `stty raw -echo; printf '\033]11;?\033\\ready\r\n'; cat -v`)
	see(t, tm, `\^\[\]11;rgb:fbfb/fbfb/f8f8`)
}

func TestResizeReachesTheProgramAndTheScreen(t *testing.T) {
	tm := start(t, term.Dark, `stty size; read line; stty size`)
	see(t, tm, `^10 40$`)
	must(t, tm.Resize(60, 20))
	must(t, tm.Key("enter"))
	see(t, tm, `^20 60$`)
}

func TestWaitGoneReturnsWhenTheTextIsOverwritten(t *testing.T) {
	tm := start(t, term.Dark, `printf 'busy'; read line; printf '\033[2J'; read line`)
	see(t, tm, "busy")
	must(t, tm.Key("enter"))
	must(t, tm.WaitGone(deadline(t), "busy"))
}

func TestAnUpdateThatIsNeverFinishedIsSeenAllTheSame(t *testing.T) {
	tm := start(t, term.Dark, `printf '\033[?2026hhalf'; read line`)
	see(t, tm, "half")
}

func TestWaitingFailsWithTheScreen(t *testing.T) {
	tm := start(t, term.Dark, `echo something else; read line; exit 3`)
	see(t, tm, "else")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := tm.WaitFor(ended, "this"); !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "something else") {
		t.Errorf("after the deadline: %v", err)
	}
	must(t, tm.Key("enter"))
	if err := tm.WaitFor(deadline(t), "this"); err == nil || !strings.Contains(err.Error(), "has ended") {
		t.Errorf("after the program's end: %v", err)
	}
	if code, err := tm.WaitExit(deadline(t)); err != nil || code != 3 {
		t.Errorf("exit status %d, %v, want 3", code, err)
	}
}

func TestKillEndsAProgramThatWillNot(t *testing.T) {
	tm := start(t, term.Dark, `trap '' HUP TERM INT; echo ready; while :; do read line; done`)
	see(t, tm, "ready")
	tm.Kill()
	if code, err := tm.WaitExit(deadline(t)); err != nil || code != 128+9 {
		t.Errorf("exit status %d, %v, want that of a kill", code, err)
	}
}

func TestPictureShowsTextColoursAndCursor(t *testing.T) {
	tm := start(t, term.Dark, `printf '\033[1;31mred\033[0m <&> \033[7mturned\033[0m \033[4;38;2;1;2;3mline\033[0m ▌日\r\nend'; read line`)
	see(t, tm, "end")
	svg := tm.SVG()
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		_, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		must(t, err)
	}
	for _, want := range []string{
		`fill="#e0685f" font-weight="bold">red</text>`, // bold red of the theme
		`> &lt;&amp;&gt; </text>`,
		`fill="#16181d">turned</text>`, // the background's colour
		`fill="#010203">line</text>`,
		`>▌</text>`,
		`>日</text>`,
		`stroke="#010203"`,
		`x="35.29" y="26.30"`, // the cursor: after "end", in the second row
	} {
		if !strings.Contains(svg, want) {
			t.Errorf("the picture lacks %s", want)
		}
	}
	if t.Failed() {
		t.Log(svg)
	}
}
