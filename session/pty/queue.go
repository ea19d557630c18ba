package pty

import (
	"io"
	"sync"
)

// queueLimit is how many bytes may wait for a program that does not read. A
// paste is the largest thing that is sent at once.
const queueLimit = 4 << 20

// queue writes to a terminal in order without making its callers wait: a
// program that never reads blocks only the queue's own goroutine.
type queue struct {
	mu     sync.Mutex
	wake   *sync.Cond
	buf    []byte
	closed bool
}

func newQueue(w io.Writer) *queue {
	q := &queue{}
	q.wake = sync.NewCond(&q.mu)
	go q.run(w)
	return q
}

func (q *queue) put(p []byte) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed || len(q.buf)+len(p) > queueLimit {
		return false
	}
	q.buf = append(q.buf, p...)
	q.wake.Signal()
	return true
}

func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed, q.buf = true, nil
	q.wake.Signal()
}

func (q *queue) run(w io.Writer) {
	for {
		q.mu.Lock()
		for len(q.buf) == 0 && !q.closed {
			q.wake.Wait()
		}
		p, closed := q.buf, q.closed
		q.buf = nil
		q.mu.Unlock()
		if closed {
			return
		}
		if _, err := w.Write(p); err != nil {
			q.close()
			return
		}
	}
}
