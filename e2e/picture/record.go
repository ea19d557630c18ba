package main

import (
	"sync"

	"aside/e2e/streams"
)

// recording collects what a program writes and what a script does to its
// terminal. Without a file it keeps nothing.
type recording struct {
	file string

	mu     sync.Mutex
	stream streams.Stream
}

func newRecording(o options) *recording {
	return &recording{file: o.record, stream: streams.Stream{Cols: o.cols, Rows: o.rows}}
}

func (r *recording) output(p []byte) {
	if r.file == "" {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	_, _ = r.stream.Write(p) // it never fails
}

func (r *recording) add(s streams.Step) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stream.Steps = append(r.stream.Steps, s)
}

func (r *recording) save() error {
	if r.file == "" {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.stream.Save(r.file)
}
