package helper

import (
	"slices"
	"sync"
	"time"

	"aside/hookbridge/wire"
)

// maxGreeting is how many connections may be open that have not said yet what
// they want. Past it the one that has said nothing for the longest is closed,
// once it has had its time: a flood keeps nobody out who speaks at once.
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
		oldest := d.waiting[0]
		if left := greetingTime - now.Sub(oldest.at); left > 0 {
			return left
		}
		d.waiting = slices.Delete(d.waiting, 0, 1)
		_ = oldest.conn.Close() // ends its read, and who waits in it
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
