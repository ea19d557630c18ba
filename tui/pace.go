package tui

import (
	"reflect"
	"sync"
	"time"
	"unsafe"

	tea "charm.land/bubbletea/v2"
)

// restAfter is how long nothing has to come before the renderer rests: many
// frames more than it takes to draw what came last.
const restAfter = 250 * time.Millisecond

// restInterval is the renderer's interval at rest.
const restInterval = time.Hour

// After a key the renderer looks more often for a moment, so that what the
// key does is not kept for the next frame.
const (
	keyInterval = time.Millisecond
	keyTime     = 30 * time.Millisecond
)

// Pace lets the renderer of a program rest while nothing changes. Bubble Tea's
// looks for something new at every frame, though only a message can bring it;
// that alone takes a hundredth of a core. It has no setting for this, so its
// clock is taken by its name; where a version has no such clock, nothing
// rests, and a test says so.
type Pace struct {
	frame time.Duration
	rest  time.Duration

	mu      sync.Mutex
	program *tea.Program
	clock   *time.Ticker
	timer   *time.Timer // until it rests
	quick   *time.Timer // until it looks no more often than the frames
	resting bool
}

// NewPace returns the pace for frames a second. Its Filter goes into the
// program's options, and Set tells it the program before that runs.
func NewPace(frames int) *Pace {
	return &Pace{frame: time.Second / time.Duration(frames), rest: restAfter}
}

// Set tells which program it is.
func (p *Pace) Set(program *tea.Program) { p.program = program }

// Filter hears of every message before the model does, and passes it on.
func (p *Pace) Filter(_ tea.Model, msg tea.Msg) tea.Msg {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.clock == nil {
		p.clock = clockOf(p.program)
		if p.clock == nil {
			return msg
		}
		p.timer = time.AfterFunc(p.rest, p.settle)
		p.quick = time.AfterFunc(keyTime, p.slow)
		return msg
	}
	_, key := msg.(tea.KeyPressMsg)
	switch {
	case key:
		p.clock.Reset(keyInterval)
		p.quick.Reset(keyTime)
	case p.resting:
		p.clock.Reset(p.frame)
	}
	p.resting = false
	p.timer.Reset(p.rest)
	return msg
}

// slow is called a moment after a key.
func (p *Pace) slow() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.resting {
		p.clock.Reset(p.frame)
	}
}

// settle is called when nothing has come for a while.
func (p *Pace) settle() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.resting = true
	p.clock.Reset(restInterval)
}

// clockOf returns the clock of a running program's renderer, nil where there
// is none of that name and type.
func clockOf(program *tea.Program) *time.Ticker {
	if program == nil {
		return nil
	}
	f := reflect.ValueOf(program).Elem().FieldByName("ticker")
	if !f.IsValid() || f.Type() != reflect.TypeFor[*time.Ticker]() {
		return nil
	}
	return *(**time.Ticker)(unsafe.Pointer(f.UnsafeAddr()))
}
