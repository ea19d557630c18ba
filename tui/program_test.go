package tui_test

import (
	"errors"
	"io"
	"testing"
	"time"

	"aside/tui"
	"aside/tui/paint"
)

// TestProgram runs the screen in a real program: what a terminal sends comes
// in, and the leader is known in every way that terminals spell it.
func TestProgram(t *testing.T) {
	for name, leader := range map[string]string{
		"legacy": "\x00", "modifyOtherKeys": "\x1b[27;5;32~", "kitty": "\x1b[32;5u",
	} {
		t.Run(name, func(t *testing.T) {
			f := world()
			f.news = make(chan tui.NewThread, 1)
			r, w := io.Pipe()
			m := tui.New(tui.Options{Backend: f, Context: t.Context()})
			screen := paint.Open(r, io.Discard, []string{"TERM=xterm-256color"})
			p, err := screen.Program(t.Context(), m)
			if err != nil {
				t.Fatal(err)
			}
			done := make(chan error, 1)
			go func() {
				_, err := p.Run()
				done <- errors.Join(err, screen.Close())
			}()
			send := func(texts ...string) {
				for _, s := range texts {
					if _, err := io.WriteString(w, s); err != nil {
						t.Error(err)
					}
				}
			}
			send(leader, "n", "Do it ", "\x1b[200~as pasted\x1b[201~", "\r")
			late := time.After(time.Minute)
			select {
			case got := <-f.news:
				if got.Prompt != "Do it as pasted" {
					t.Errorf("the prompt is %q", got.Prompt)
				}
			case <-late:
				t.Fatal("no thread was asked for")
			}
			send(leader, "q")
			select {
			case err := <-done:
				if err != nil {
					t.Fatal(err)
				}
			case <-late:
				t.Fatal("the program goes on")
			}
		})
	}
}
