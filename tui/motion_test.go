package tui_test

import (
	"testing"
	"time"

	"aside/session"
	"aside/tui"
	"aside/tui/tuitest"
)

func TestNothingMovesWithReducedMotion(t *testing.T) {
	f := world()
	c := &clock{now: noon}
	s := tuitest.New(t, tui.New(tui.Options{
		Backend: f, Context: t.Context(), Thread: f.first, ReducedMotion: true, Now: func() time.Time { return c.now }, Tick: c.Tick,
	}), 100, 30)
	frame := agentScreen(75, 28, session.Modes{})
	frame.Frame.Cursor = session.Cursor{X: 3, Y: 20, Blink: true}
	s.Send(frame)
	s.Want("working")
	s.WantNot("0:42")
	if v := s.View(); v.Cursor == nil || v.Cursor.Blink {
		t.Errorf("the cursor is %+v", v.Cursor)
	}
	d := decision("d1")
	d.Decision.Deadline = noon.Add(2 * time.Minute)
	c.ticks = nil
	s.Send(d)
	if len(c.ticks) != 1 || c.ticks[0] != time.Minute {
		t.Errorf("the screen wakes after %v, want once when the deadline is near", c.ticks)
	}
	c.now = noon.Add(90 * time.Second)
	c.ticks = nil
	s.Send(c.fire[len(c.fire)-1](c.now))
	s.Want("less than 60 s left")
	if len(c.ticks) != 0 {
		t.Errorf("the screen wakes after %v", c.ticks)
	}
	before := s.Text()
	c.now = noon.Add(110 * time.Second)
	if after := s.Text(); after != before {
		t.Errorf("time alone changed the screen:\n%s", after)
	}
}
