package wire

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net"
	"sync"
	"time"
	"unicode/utf8"
)

// requestTimeout is how long a peer may take to send its first line, so that
// a connection on which nothing comes does not stay for ever.
const requestTimeout = 10 * time.Second

// Conn is one end of a connection. One goroutine reads at a time; any number
// may write, and each line is written whole.
type Conn struct {
	conn net.Conn
	r    *bufio.Reader

	mu sync.Mutex // serialises writes
}

// The sizes of what is read at once: a hook's payload in most cases where
// thousands connect in a second, and a picture of the screen elsewhere.
const (
	acceptedBuffer = 4 << 10
	dialledBuffer  = 16 << 10
)

// NewConn returns the end of a connection that is already open. It does not
// check who is at the other end; Dial and Listener.Accept do.
func NewConn(c net.Conn) *Conn { return newConn(c, dialledBuffer) }

func newConn(c net.Conn, buffer int) *Conn { return &Conn{conn: c, r: bufio.NewReaderSize(c, buffer)} }

// Close closes the connection and ends reads and writes under way.
func (c *Conn) Close() error { return c.conn.Close() }

// SetDeadline limits reads and writes; the zero time means no limit.
func (c *Conn) SetDeadline(t time.Time) error { return c.conn.SetDeadline(t) }

// SetReadDeadline limits reads; the zero time means no limit.
func (c *Conn) SetReadDeadline(t time.Time) error { return c.conn.SetReadDeadline(t) }

// SetWriteDeadline limits writes; the zero time means no limit. A line whose
// write was cut short leaves the connection useless.
func (c *Conn) SetWriteDeadline(t time.Time) error { return c.conn.SetWriteDeadline(t) }

// ReadLine reads the next line and decodes it into v; a *json.RawMessage
// takes it as it is. The error is io.EOF when the other end closed between
// two lines, and a FrameError when the line is at fault. After ErrLong the
// connection is useless, since the rest of the line is left unread; after
// other frame errors the next line can be read.
func (c *Conn) ReadLine(v any) error {
	line, err := readLine(c.r)
	if err != nil {
		return err
	}
	return decode(line, v)
}

// readLine returns the next line without its newline. The limit holds while
// reading: no more than a line of MaxLine bytes is ever buffered.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(bytes.TrimSuffix(part, []byte{'\n'})) > MaxLine {
			return nil, ErrLong
		}
		line = append(line, part...)
		switch {
		case err == nil:
			return line[:len(line)-1], nil
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && len(line) > 0:
			return nil, io.ErrUnexpectedEOF
		default:
			return nil, err
		}
	}
}

func decode(line []byte, v any) error {
	if err := check(line); err != nil {
		return err
	}
	err := json.Unmarshal(line, v)
	var wrongType *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &wrongType):
		return ErrFields
	}
	return ErrObject
}

// check refuses what json.Unmarshal would let through: bytes that are not
// UTF-8, values that are no object, and nesting that makes a reader's stack
// as deep as the sender likes.
func check(line []byte) error {
	if !utf8.Valid(line) {
		return ErrUTF8
	}
	if start := bytes.TrimLeft(line, " \t\r"); len(start) == 0 || start[0] != '{' {
		return ErrObject
	}
	for _, depth := range brackets(line) {
		if depth > MaxDepth {
			return ErrDepth
		}
	}
	return nil
}

// brackets yields where each bracket of a JSON text is that is in no string,
// and how many are open behind it.
func brackets(text []byte) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		depth, quoted := 0, false
		for i := 0; i < len(text); i++ {
			switch b := text[i]; {
			case quoted && b == '\\':
				i++ // the escaped byte ends no string
				continue
			case b == '"':
				quoted = !quoted
				continue
			case quoted:
				continue
			case b == '{' || b == '[':
				depth++
			case b == '}' || b == ']':
				depth--
			default:
				continue
			}
			if !yield(i, depth) {
				return
			}
		}
	}
}

// WriteLine writes v, which must encode to a JSON object, as one line. A
// line that would be longer than MaxLine is not begun.
func (c *Conn) WriteLine(v any) error {
	var line bytes.Buffer
	enc := json.NewEncoder(&line)
	// With HTML escapes a payload of the allowed size could outgrow the line.
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("encode line: %w", err)
	}
	if line.Len()-1 > MaxLine {
		return ErrLong
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, err := c.conn.Write(line.Bytes()); err != nil {
		return fmt.Errorf("write line: %w", err)
	}
	return nil
}

// ReadRequest reads the first line of a connection, within ten seconds. A
// line that is no request of this version is answered with a fault; the
// caller has then only to close the connection. What is wrong inside the body
// is found by who decodes it.
func (c *Conn) ReadRequest() (Request, error) {
	if err := c.SetReadDeadline(time.Now().Add(requestTimeout)); err != nil {
		return Request{}, fmt.Errorf("read request: %w", err)
	}
	r, err := readRequest(c.r)
	var bad FrameError
	if errors.As(err, &bad) {
		_ = c.SetWriteDeadline(time.Now().Add(requestTimeout))
		_ = c.Refuse(bad.fault()) // the caller is told by err; a peer that cannot be told is no second fault
	}
	if err != nil {
		return Request{}, fmt.Errorf("read request: %w", err)
	}
	_ = c.SetReadDeadline(time.Time{}) // it fails on a closed connection alone, which the next read tells
	return r, nil
}

func readRequest(from *bufio.Reader) (r Request, err error) {
	line, err := readLine(from)
	if err != nil {
		return r, err
	}
	if err := decodeRequest(line, &r); err != nil {
		return r, err
	}
	return r, r.check()
}

// bodyKey is where the body begins in a request as WriteLine writes it.
var bodyKey = []byte(`,"body":`)

// decodeRequest decodes a request without going through its body, by far the
// most of it, which somebody else decodes once more. A line of another make
// is decoded as any other.
func decodeRequest(line []byte, r *Request) error {
	head, rest, _ := bytes.Cut(line, bodyKey)
	end := objectEnd(rest)
	if end < 0 || string(rest[end:]) != "}" {
		return decode(line, r)
	}
	if err := check(line); err != nil {
		return err
	}
	var short Request
	// A key inside another object leaves that one open, which is an error.
	if err := json.Unmarshal(append(bytes.Clone(head), '}'), &short); err != nil || short.Body != nil {
		return decode(line, r)
	}
	*r, r.Body = short, rest[:end]
	return nil
}

// objectEnd returns where the object ends with which text begins; -1 when
// none begins there or it does not end.
func objectEnd(text []byte) int {
	if len(text) == 0 || text[0] != '{' {
		return -1
	}
	for i, depth := range brackets(text) {
		if depth == 0 {
			return i + 1
		}
	}
	return -1
}

func (r Request) check() error {
	switch {
	case r.V != Version:
		return ErrVersion
	case r.Op == "":
		return ErrFields
	case len(r.Body) > MaxPayload:
		return ErrPayload
	}
	return nil
}

// Answer writes the reply to a request with a body; nil means none.
func (c *Conn) Answer(body any) error {
	if body == nil {
		return c.WriteLine(Reply{V: Version})
	}
	return c.WriteLine(struct {
		V    int `json:"v"`
		Body any `json:"body"`
	}{Version, body})
}

// Refuse writes the reply to a request that is not served.
func (c *Conn) Refuse(f Fault) error { return c.WriteLine(Reply{V: Version, Fault: &f}) }

// Ask writes a request, whose V it sets, and waits for the reply, as long as
// the deadline lets it. It returns the reply's body; the error is a *Fault
// when the other end refused, and ErrVersion when it is of another version.
func (c *Conn) Ask(r Request) (json.RawMessage, error) {
	r.V = Version
	if err := r.check(); err != nil {
		return nil, err
	}
	if err := c.WriteLine(r); err != nil {
		return nil, err
	}
	var reply Reply
	if err := c.ReadLine(&reply); err != nil {
		return nil, fmt.Errorf("read reply: %w", err)
	}
	if reply.V != Version {
		return nil, ErrVersion
	}
	if reply.Fault != nil {
		return nil, reply.Fault
	}
	return reply.Body, nil
}

// AwaitEnd blocks until the connection is over: io.EOF when the other end
// closed it, ErrExtra when it sent a further byte, which a held connection
// must not, else the error of the read.
func (c *Conn) AwaitEnd() error {
	if _, err := c.r.ReadByte(); err != nil {
		return err
	}
	return ErrExtra
}
