package helper

import (
	"slices"
	"sync"
	"time"

	"aside/hookbridge/wire"
)

// maxGreeting is how many connections may be open that have not said yet what
// they want. Past it the one that has said nothing for the longest is closed,
// once it has had its time: a flood keeps nobody out who speaks at once, also
// where the machine is so busy that what was said is not read in that time.
const (
	maxGreeting  = 512
	greetingTime = 250 * time.Millisecond
)

// door keeps the connections that have said nothing yet, the oldest first.
type door struct {
	mu      sync.Mutex
	waiting []greeting
	room    chan struct{} // holds a token when one has passed
}

type greeting struct {
	conn *wire.Conn
	at   time.Time
}

func newDoor() *door { return &door{room: make(chan struct{}, 1)} }

// enter lets a connection in; it waits while too many are there. Only one
// goroutine may call it.
func (d *door) enter(c *wire.Conn) {
	for {
		wait := d.admit(c)
		if wait <= 0 {
			return
		}
		timer := time.NewTimer(wait)
		select {
		case <-d.room:
		case <-timer.C:
		}
		timer.Stop()
	}
}

// admit lets a connection in, or says how long to wait for room.
func (d *door) admit(c *wire.Conn) time.Duration {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := time.Now()
	if len(d.waiting) >= maxGreeting {
		if left := greetingTime - now.Sub(d.waiting[0].at); left > 0 {
			return left
		}
		i := slices.IndexFunc(d.waiting, func(g greeting) bool { return now.Sub(g.at) < greetingTime || !g.conn.Unread() })
		if i < 0 || now.Sub(d.waiting[i].at) < greetingTime {
			i = 0 // all have begun to say something, and none has ended
		}
		_ = d.waiting[i].conn.Close() // ends its read, and who waits in it
		d.waiting = slices.Delete(d.waiting, i, i+1)
	}
	d.waiting = append(d.waiting, greeting{c, now})
	return 0
}

// pass tells that a connection has said what it wants, or is gone.
func (d *door) pass(c *wire.Conn) {
	d.mu.Lock()
	d.waiting = slices.DeleteFunc(d.waiting, func(g greeting) bool { return g.conn == c })
	d.mu.Unlock()
	select {
	case d.room <- struct{}{}:
	default:
	}
}
