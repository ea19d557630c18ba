package tui

import (
	"bytes"
	"context"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

// counter shows how many times it was told to count.
type counter struct{ n int }

type count struct{}

func (c counter) Init() tea.Cmd { return nil }

func (c counter) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if _, ok := msg.(count); ok {
		c.n++
	}
	return c, nil
}

func (c counter) View() tea.View { return tea.NewView(strings.Repeat("x", c.n) + ".") }

// output tells when something has been written.
type output struct {
	mu      sync.Mutex
	all     bytes.Buffer
	written chan struct{}
}

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	select {
	case o.written <- struct{}{}:
	default:
	}
	return o.all.Write(b)
}

func (o *output) await(t *testing.T, text string) {
	t.Helper()
	late := time.After(time.Minute)
	for {
		o.mu.Lock()
		there := strings.Contains(o.all.String(), text)
		o.mu.Unlock()
		if there {
			return
		}
		select {
		case <-o.written:
		case <-late:
			t.Fatalf("%q was never drawn", text)
		}
	}
}

func TestTheRendererRestsAndWakesForEveryMessage(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	out := &output{written: make(chan struct{}, 1)}
	pace := NewPace(120)
	pace.rest = time.Millisecond
	in, feed := io.Pipe()
	defer func() { _ = feed.Close() }()
	p := tea.NewProgram(counter{}, tea.WithContext(ctx), tea.WithInput(in), tea.WithOutput(out), tea.WithFPS(120),
		tea.WithWindowSize(40, 5), tea.WithFilter(pace.Filter), tea.WithEnvironment([]string{"TERM=xterm-256color"}), tea.WithoutSignals())
	pace.Set(p)
	done := make(chan error, 1)
	go func() {
		_, err := p.Run()
		done <- err
	}()
	for n := 1; n <= 3; n++ {
		p.Send(count{})
		resting := func() bool {
			pace.mu.Lock()
			defer pace.mu.Unlock()
			return pace.resting
		}
		look := time.NewTicker(time.Millisecond)
		for late := time.Now().Add(time.Minute); !resting(); <-look.C {
			if time.Now().After(late) {
				t.Fatal("it never rests: Bubble Tea's clock has another name or type")
			}
		}
		look.Stop()
	}
	pace.mu.Lock()
	pace.rest = restAfter
	pace.mu.Unlock()
	p.Send(count{})
	out.await(t, "xxxx.")
	p.Quit()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
