// Package model is a scripted stand-in for a language model: a server of the
// Anthropic Messages API and of the OpenAI Responses API on 127.0.0.1 whose
// replies the prompt itself spells. The real agents run against it, with no
// account, no network and the same outcome every time.
//
// A script is any number of lines in the latest prompt:
//
//	@text Let me look.                       words of the reply
//	@tool Bash {"command": "make test"}      a tool call; it ends the reply
//	@with Read {"file_path": "go.mod"}       one more call in the same reply
//	@wait                                    hold the reply here until Release
//
// The first reply goes to the first request after the prompt, the second to
// the next one, which carries the tool's result, and so on; then, and for a
// prompt without a script, the reply is DefaultText.
package model

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"
)

// maxBody limits a request, in bytes; a client's first one takes about 100 KB.
const maxBody = 32 << 20

// Request is one request that the server has seen.
type Request struct {
	// Tools are the names of the tools on offer, in the client's order. A
	// request without any is the client's own affair, such as a title.
	Tools    []string
	System   string // the text of the system prompt
	Messages []Message
	Body     json.RawMessage // the whole request
}

// ToolResults returns the text of every tool result of the conversation, in
// order.
func (r Request) ToolResults() []string {
	var texts []string
	for _, m := range r.Messages {
		for _, b := range m.Content {
			if b.Type == "tool_result" {
				texts = append(texts, b.Text)
			}
		}
	}
	return texts
}

// Server is a running model server. Its methods may be called from any
// goroutine.
type Server struct {
	http     *http.Server
	url      string
	done     chan struct{} // closed when serving has ended
	released chan struct{} // one token per Release

	mu       sync.Mutex
	requests []Request
	arrived  chan struct{} // closed and replaced at each request
	replies  int
}

// Start serves on a free port of 127.0.0.1 until Close.
func Start() (*Server, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen for the model: %w", err)
	}
	s := &Server{
		url:      "http://" + listener.Addr().String(),
		done:     make(chan struct{}),
		released: make(chan struct{}),
		arrived:  make(chan struct{}),
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/messages", s.messages)
	mux.HandleFunc("POST /v1/responses", s.responses)
	s.http = &http.Server{Handler: mux, ReadHeaderTimeout: time.Minute}
	go func() {
		defer close(s.done)
		_ = s.http.Serve(listener) // it ends with ErrServerClosed, by Close
	}()
	return s, nil
}

// URL is the value for ANTHROPIC_BASE_URL.
func (s *Server) URL() string { return s.url }

// Close ends the server and every reply under way.
func (s *Server) Close() error {
	err := s.http.Close()
	<-s.done
	if err != nil {
		return fmt.Errorf("close the model: %w", err)
	}
	return nil
}

// Requests returns the requests that offered tools, oldest first: those of the
// conversation, without the client's side requests.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Await returns the first request of the conversation for which ok is true,
// as soon as there is one, or ctx's error.
func (s *Server) Await(ctx context.Context, ok func(Request) bool) (Request, error) {
	seen := 0
	for {
		s.mu.Lock()
		fresh, arrived := s.requests[seen:], s.arrived
		s.mu.Unlock()
		if i := slices.IndexFunc(fresh, ok); i >= 0 {
			return fresh[i], nil
		}
		seen += len(fresh)
		select {
		case <-arrived:
		case <-ctx.Done():
			return Request{}, fmt.Errorf("await a request (%d seen): %w", seen, ctx.Err())
		}
	}
}

// Release lets one reply that is held at @wait go on, waiting for one to be
// held until ctx ends.
func (s *Server) Release(ctx context.Context) error {
	select {
	case s.released <- struct{}{}:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("release a held reply: %w", ctx.Err())
	}
}

// hold blocks until Release, or returns the error of a client that left.
func (s *Server) hold(ctx context.Context) error {
	select {
	case <-s.released:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *Server) messages(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		refuse(w, err)
		return
	}
	var asked struct {
		Model    string          `json:"model"`
		Stream   bool            `json:"stream"`
		System   json.RawMessage `json:"system"`
		Messages []Message       `json:"messages"`
		Tools    []struct {
			Name string `json:"name"`
		} `json:"tools"`
	}
	if err := json.Unmarshal(body, &asked); err != nil {
		refuse(w, err)
		return
	}
	system, err := readBlocks(asked.System)
	if err != nil {
		refuse(w, err)
		return
	}
	request := Request{System: joinText(system), Messages: asked.Messages, Body: body}
	for _, t := range asked.Tools {
		request.Tools = append(request.Tools, t.Name)
	}
	answer := reply{{Text: "A title"}}
	if len(request.Tools) > 0 {
		s.record(request)
		answer = nextReply(request.Messages)
	}
	out := writer{model: asked.Model, id: s.nextID(), hold: s.hold}
	if asked.Stream {
		err = out.stream(r.Context(), w, answer)
	} else {
		err = out.whole(r.Context(), w, answer)
	}
	if err != nil && !errors.Is(err, context.Canceled) {
		// The status is sent: a broken stream is the only way left to tell.
		panic(http.ErrAbortHandler)
	}
}

func (s *Server) record(r Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, r)
	close(s.arrived)
	s.arrived = make(chan struct{})
}

func (s *Server) nextID() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.replies++
	return s.replies
}

func refuse(w http.ResponseWriter, err error) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusBadRequest)
	_ = json.NewEncoder(w).Encode(map[string]any{
		"type":  "error",
		"error": map[string]string{"type": "invalid_request_error", "message": err.Error()},
	})
}
