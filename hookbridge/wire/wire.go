// Package wire is how the processes of aside talk: one JSON object per line
// over a Unix socket, versioned and limited in size. The first line of every
// connection is a Request; what follows depends on its Op. The package is
// stdlib only and imports no room, because the hook program, whose start-up
// the user waits for on every tool call, is made of it.
package wire

import (
	"encoding/json"
	"fmt"
)

// Version is the version of the protocol that this program speaks.
const Version = 1

// The limits of contracts/decisions.md, and how deep a line may be nested.
const (
	MaxPayload = 1 << 20 // bytes of a request's Body
	MaxLine    = 4 << 20 // bytes of a line, without its newline
	MaxDepth   = 64      // objects and arrays open at once in a line
)

// The operations that agents' own programs ask for. The operations of the
// screen and the command line belong to the room of the client.
const (
	OpHook = "hook" // an event of an agent; answered with a HookReply
	OpMCP  = "mcp"  // a tool call of an agent
)

// Request is the first line of every connection. Thread, Pane and Agent say
// who asks, as aside told it through the environment.
type Request struct {
	V      int             `json:"v"`
	Op     string          `json:"op"`
	Thread string          `json:"thread,omitempty"`
	Pane   string          `json:"pane,omitempty"`
	Agent  string          `json:"agent,omitempty"`
	Event  string          `json:"event,omitempty"`
	Body   json.RawMessage `json:"body,omitempty"`
}

// Reply answers a Request: with a fault, or with a body.
type Reply struct {
	V     int             `json:"v"`
	Fault *Fault          `json:"fault,omitempty"`
	Body  json.RawMessage `json:"body,omitempty"`
}

// HookReply is the body of the reply to OpHook. Both empty means that there
// is nothing to say, the ordinary answer to an event that only informs.
type HookReply struct {
	Output   string `json:"output,omitempty"`   // JSON text for the agent, printed exactly
	Released string `json:"released,omitempty"` // why there is no verdict
}

// Fault is a refusal, or a failure at the other end. Code is an exit status
// of contracts/cli.md.
type Fault struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
}

func (f *Fault) Error() string { return f.Message }

// FrameError says what is wrong with a line that was read.
type FrameError string

func (e FrameError) Error() string { return string(e) }

// The faults of a line.
const (
	ErrLong    FrameError = "line is longer than 4 MiB"
	ErrPayload FrameError = "payload is larger than 1 MiB"
	ErrUTF8    FrameError = "line is not valid UTF-8"
	ErrObject  FrameError = "line is not one JSON object"
	ErrDepth   FrameError = "line is nested deeper than 64 levels"
	ErrFields  FrameError = "line has a field of the wrong type, or lacks one"
	ErrVersion FrameError = "other end speaks another version of the protocol"
	ErrExtra   FrameError = "further bytes on a held connection"
)

// faultUsage and faultFailed are the exit statuses of contracts/cli.md for a
// request that makes no sense and for one that could not be served.
const (
	faultFailed = 1
	faultUsage  = 2
)

func (e FrameError) fault() Fault {
	if e == ErrVersion {
		return Fault{
			Code:    faultFailed,
			Message: fmt.Sprintf("this thread's helper speaks version %d of the protocol and the caller another", Version),
			Hint:    "run aside stop and aside resume for the thread, so that both are of one version",
		}
	}
	return Fault{Code: faultUsage, Message: "request refused: " + string(e)}
}
