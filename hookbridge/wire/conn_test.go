package wire

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
)

// pair returns both ends of a connection.
func pair(t *testing.T) (a, b *Conn) {
	t.Helper()
	x, y := net.Pipe()
	a, b = NewConn(x), NewConn(y)
	t.Cleanup(func() { _ = a.Close(); _ = b.Close() })
	return a, b
}

func TestReadLineRefuses(t *testing.T) {
	deep := strings.Repeat(`{"a":`, MaxDepth) + `1` + strings.Repeat(`}`, MaxDepth)
	tests := []struct {
		name, line string
		want       error
	}{
		{"an object", `{"v":1}`, nil},
		{"an object and white space", " {\"v\":1}\t\r", nil},
		{"the deepest object", deep, nil},
		{"brackets in a string", `{"op":"` + strings.Repeat("[", 100) + `\"` + strings.Repeat("{", 100) + `"}`, nil},
		{"too deep", `{"a":` + deep + `}`, ErrDepth},
		{"too deep in arrays", `{"a":` + strings.Repeat("[", 100), ErrDepth},
		{"empty", ``, ErrObject},
		{"white space", ` `, ErrObject},
		{"an array", `[{"v":1}]`, ErrObject},
		{"a string", `"{}"`, ErrObject},
		{"null", `null`, ErrObject},
		{"trailing garbage", `{"v":1} x`, ErrObject},
		{"two objects", `{"v":1}{"v":1}`, ErrObject},
		{"half an object", `{"v":1`, ErrObject},
		{"bare control character", "{\"op\":\"\x01\"}", ErrObject},
		{"invalid UTF-8", "{\"op\":\"\xff\"}", ErrUTF8},
		{"a field of the wrong type", `{"v":"1"}`, ErrFields},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, b := pair(t)
			go func() { _, _ = b.conn.Write([]byte(tt.line + "\n" + `{"op":"next"}` + "\n")) }()
			var r Request
			if err := a.ReadLine(&r); !errors.Is(err, tt.want) {
				t.Fatalf("ReadLine = %v, want %v", err, tt.want)
			}
			if err := a.ReadLine(&r); err != nil || r.Op != "next" {
				t.Errorf("the next line = %+v, %v; want it readable", r, err)
			}
		})
	}
}

// endless yields bytes for ever and counts how many were taken.
type endless struct{ taken int }

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'a'
	}
	e.taken += len(p)
	return len(p), nil
}

func TestLimitHoldsWhileReading(t *testing.T) {
	src := &endless{}
	if _, err := readLine(bufio.NewReader(src)); !errors.Is(err, ErrLong) {
		t.Fatalf("readLine = %v, want %v", err, ErrLong)
	}
	if src.taken > MaxLine+64<<10 {
		t.Errorf("%d bytes were read before the refusal", src.taken)
	}
}

func TestLineLengthLimitIsExact(t *testing.T) {
	for _, tt := range []struct {
		length int
		want   error
	}{{MaxLine, nil}, {MaxLine + 1, ErrLong}} {
		line := `{"op":"` + strings.Repeat("x", tt.length-9) + `"}`
		for _, end := range []string{"\n", ""} {
			_, err := readLine(bufio.NewReader(strings.NewReader(line + end)))
			if want := tt.want; end == "" && want == nil {
				if !errors.Is(err, io.ErrUnexpectedEOF) {
					t.Errorf("a line of %d bytes without its end: %v, want %v", tt.length, err, io.ErrUnexpectedEOF)
				}
			} else if !errors.Is(err, want) {
				t.Errorf("a line of %d bytes: %v, want %v", tt.length, err, want)
			}
		}
		a, b := pair(t)
		go func() { _, _ = io.Copy(io.Discard, b.conn) }()
		if err := a.WriteLine(Request{Op: strings.Repeat("x", tt.length-len(`{"v":0,"op":""}`))}); !errors.Is(err, tt.want) {
			t.Errorf("writing %d bytes: %v, want %v", tt.length, err, tt.want)
		}
	}
}

func TestReadLineAtEnd(t *testing.T) {
	if _, err := readLine(bufio.NewReader(strings.NewReader(""))); !errors.Is(err, io.EOF) {
		t.Errorf("nothing sent: %v, want io.EOF", err)
	}
	if _, err := readLine(bufio.NewReader(strings.NewReader(`{"v":1}`))); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("half a line sent: %v, want io.ErrUnexpectedEOF", err)
	}
}

// The largest payload allowed must pass, also when an encoder that escapes
// for HTML would make it six times as long.
func TestLargestPayloadArrives(t *testing.T) {
	a, b := pair(t)
	body := []byte(`{"a":"` + strings.Repeat("<", MaxPayload-8) + `"}`)
	got := make(chan Request, 1)
	go func() {
		r, err := b.ReadRequest()
		if err != nil {
			t.Errorf("ReadRequest: %v", err)
		}
		got <- r
		_ = b.Answer(HookReply{Output: string(body)})
	}()
	reply, err := a.Ask(Request{Op: OpHook, Body: body})
	if err != nil {
		t.Fatal(err)
	}
	if r := <-got; !bytes.Equal(r.Body, body) {
		t.Errorf("the payload arrived as %d bytes, want the %d sent", len(r.Body), len(body))
	}
	var h HookReply
	if err := json.Unmarshal(reply, &h); err != nil || h.Output != string(body) {
		t.Errorf("the output arrived as %d bytes (%v), want the %d sent", len(h.Output), err, len(body))
	}
	if _, err := a.Ask(Request{Op: OpHook, Body: append(body, ' ')}); !errors.Is(err, ErrPayload) {
		t.Errorf("one byte more = %v, want %v", err, ErrPayload)
	}
}

func TestBadRequestIsAnsweredWithFault(t *testing.T) {
	big, _ := json.Marshal(Request{V: 1, Op: OpHook, Body: json.RawMessage(`"` + strings.Repeat("x", MaxPayload) + `"`)})
	tests := []struct {
		name, line, says string
		code             int
		want             error
	}{
		{"newer version", `{"v":2,"op":"hook"}`, "version 1", 1, ErrVersion},
		{"no version", `{"op":"hook"}`, "version 1", 1, ErrVersion},
		{"no operation", `{"v":1}`, "lacks", 2, ErrFields},
		{"no object", `"hook"`, "not one JSON object", 2, ErrObject},
		{"large payload", string(big), "1 MiB", 2, ErrPayload},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, b := pair(t)
			got := make(chan error, 1)
			go func() {
				_, err := b.ReadRequest()
				got <- err
			}()
			if _, err := a.conn.Write([]byte(tt.line + "\n")); err != nil {
				t.Fatal(err)
			}
			var reply Reply
			if err := a.ReadLine(&reply); err != nil {
				t.Fatal(err)
			}
			if reply.Fault == nil || reply.Fault.Code != tt.code || !strings.Contains(reply.Fault.Message, tt.says) {
				t.Errorf("reply = %+v, want a fault of code %d that says %q", reply.Fault, tt.code, tt.says)
			}
			if err := <-got; !errors.Is(err, tt.want) {
				t.Errorf("ReadRequest = %v, want %v", err, tt.want)
			}
		})
	}
}

func TestAskReturnsFault(t *testing.T) {
	a, b := pair(t)
	go func() {
		_, _ = b.ReadRequest()
		_ = b.Refuse(Fault{Code: 3, Message: "no such thread", Hint: "run aside threads"})
		_, _ = b.ReadRequest()
		_ = b.WriteLine(Reply{V: Version + 1, Fault: &Fault{Message: "words of a later version"}})
	}()
	_, err := a.Ask(Request{Op: "x"})
	var f *Fault
	if !errors.As(err, &f) || *f != (Fault{3, "no such thread", "run aside threads"}) {
		t.Errorf("Ask = %v, want the fault as sent", err)
	}
	if _, err := a.Ask(Request{Op: "x"}); !errors.Is(err, ErrVersion) {
		t.Errorf("Ask of a helper of another version = %v, want %v", err, ErrVersion)
	}
}

func TestAwaitEnd(t *testing.T) {
	for _, tt := range []struct {
		name, after string
		want        error
	}{{"closed", "", io.EOF}, {"further byte", " ", ErrExtra}, {"further line", "{}\n", ErrExtra}} {
		t.Run(tt.name, func(t *testing.T) {
			a, b := pair(t)
			go func() {
				_, _ = b.conn.Write([]byte(`{"v":1,"op":"hook"}` + "\n" + tt.after))
				_ = b.Close()
			}()
			if _, err := a.ReadRequest(); err != nil {
				t.Fatal(err)
			}
			if err := a.AwaitEnd(); !errors.Is(err, tt.want) {
				t.Errorf("AwaitEnd = %v, want %v", err, tt.want)
			}
		})
	}
}

// FuzzReadLine checks that any bytes either are refused or are an object
// within the limits, and that how they are cut into reads changes nothing.
func FuzzReadLine(f *testing.F) {
	for _, s := range []string{
		`{"v":1,"op":"hook","body":{"a":[1,2,{"b":"\"]"}]}}` + "\n", `{"v":1}`, "\n", "\xff\n", `[]` + "\n",
		`{"v":1,"body":{"a":"}"},"op":"x"}` + "\n" + `{"x":{"op":"y","body":{}}}` + "\n", `{"Body":{},"op":"z","body":{"b":1}}` + "\n",
		`{"op":"w","body":{"a":1}}x` + "\n" + `{"op":"w","body":{]}}` + "\n",
		`{"a":"\\"}` + "\n{}", strings.Repeat(`{"a":`, 70) + "\n", "{}\r\n", `{"op":"\ud800"}` + "\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		whole := bufio.NewReaderSize(bytes.NewReader(data), 16)
		chopped := bufio.NewReaderSize(iotest.OneByteReader(bytes.NewReader(data)), 16)
		for {
			line, err := readLine(whole)
			again, errAgain := readLine(chopped)
			if !bytes.Equal(line, again) || !errors.Is(errAgain, err) {
				t.Fatalf("read whole: %q, %v; byte by byte: %q, %v", line, err, again, errAgain)
			}
			if err != nil {
				return
			}
			var r, direct Request
			directErr := decodeRequest(line, &direct)
			if decode(line, &r) != nil {
				if directErr == nil && json.Valid(direct.Body) {
					t.Fatalf("accepted as a request: %q", line)
				}
				continue
			}
			if directErr != nil || !reflect.DeepEqual(direct, r) {
				t.Fatalf("read as a request: %+v, %v; as any line: %+v", direct, directErr, r)
			}
			if !json.Valid(line) || bytes.TrimSpace(line)[0] != '{' {
				t.Fatalf("accepted %q", line)
			}
			var out bytes.Buffer
			enc := json.NewEncoder(&out)
			enc.SetEscapeHTML(false)
			if err := enc.Encode(r); err != nil {
				t.Fatalf("encode what was read: %v", err)
			}
			var back Request
			if err := decode(bytes.TrimSuffix(out.Bytes(), []byte("\n")), &back); err != nil {
				t.Fatalf("read what was written: %v", err)
			}
		}
	})
}
