// Package streams keeps what real agents wrote to a terminal, so that an
// emulator can be fed with it again.
//
// A file is an asciicast of version 2 (docs.asciinema.org), compressed with
// gzip. Times are left out: what counts is the order of output, changes of
// size, and marks, which name the moments at which the screen had settled.
package streams

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"unicode/utf8"
)

// extension is how the name of a stream's file ends.
const extension = ".cast.gz"

// Stream is what one program wrote.
type Stream struct {
	Name       string // of its file, without folder and extension
	Cols, Rows int    // the terminal's size at the start
	Steps      []Step
}

// Step is one of its three fields.
type Step struct {
	Output []byte
	Resize [2]int // columns and rows
	Mark   string
}

// Write adds output; output after output is one step. It never fails.
func (s *Stream) Write(p []byte) (int, error) {
	if last := len(s.Steps) - 1; last >= 0 && s.Steps[last].Output != nil {
		s.Steps[last].Output = append(s.Steps[last].Output, p...)
	} else if len(p) > 0 {
		s.Steps = append(s.Steps, Step{Output: bytes.Clone(p)})
	}
	return len(p), nil
}

// Output returns all output, one after the other.
func (s *Stream) Output() []byte {
	var all []byte
	for _, step := range s.Steps {
		all = append(all, step.Output...)
	}
	return all
}

type header struct {
	Version int `json:"version"`
	Width   int `json:"width"`
	Height  int `json:"height"`
}

// Save writes the file. Output that is no UTF-8 cannot be kept.
func (s *Stream) Save(path string) error {
	var file bytes.Buffer
	zip, err := gzip.NewWriterLevel(&file, gzip.BestCompression)
	if err != nil {
		return fmt.Errorf("save stream: %w", err)
	}
	lines := json.NewEncoder(zip)
	lines.SetEscapeHTML(false)
	if err := lines.Encode(header{Version: 2, Width: s.Cols, Height: s.Rows}); err != nil {
		return fmt.Errorf("save stream: %w", err)
	}
	for i, step := range s.Steps {
		kind, data := step.event()
		if !utf8.ValidString(data) {
			return fmt.Errorf("save stream: step %d is no UTF-8", i)
		}
		if err := lines.Encode([]any{0, kind, data}); err != nil {
			return fmt.Errorf("save stream: %w", err)
		}
	}
	if err := zip.Close(); err != nil {
		return fmt.Errorf("save stream: %w", err)
	}
	return os.WriteFile(path, file.Bytes(), 0o644)
}

func (s Step) event() (kind, data string) {
	switch {
	case s.Mark != "":
		return "m", s.Mark
	case s.Resize != [2]int{}:
		return "r", fmt.Sprintf("%dx%d", s.Resize[0], s.Resize[1])
	}
	return "o", string(s.Output)
}

// Load reads a file.
func Load(path string) (*Stream, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("load stream: %w", err)
	}
	defer file.Close() //nolint:errcheck // it was only read
	zip, err := gzip.NewReader(bufio.NewReader(file))
	if err != nil {
		return nil, fmt.Errorf("load stream %s: %w", path, err)
	}
	base := filepath.Base(path)
	s := &Stream{Name: base[:max(len(base)-len(extension), 0)]}
	if err := s.read(json.NewDecoder(zip)); err != nil {
		return nil, fmt.Errorf("load stream %s: %w", path, err)
	}
	return s, nil
}

func (s *Stream) read(lines *json.Decoder) error {
	var h header
	if err := lines.Decode(&h); err != nil {
		return err
	}
	s.Cols, s.Rows = h.Width, h.Height
	for {
		var at float64
		var kind, data string
		err := lines.Decode(&[]any{&at, &kind, &data})
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		switch kind {
		case "o":
			_, _ = s.Write([]byte(data)) // it never fails
		case "m":
			s.Steps = append(s.Steps, Step{Mark: data})
		case "r":
			var size [2]int
			if _, err := fmt.Sscanf(data, "%dx%d", &size[0], &size[1]); err != nil {
				return fmt.Errorf("size %q: %w", data, err)
			}
			s.Steps = append(s.Steps, Step{Resize: size})
		}
	}
}

// All loads every stream of a folder, by name.
func All(dir string) ([]*Stream, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*"+extension))
	if err != nil {
		return nil, fmt.Errorf("find streams: %w", err)
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("find streams: there are none in %s", dir)
	}
	slices.Sort(paths)
	all := make([]*Stream, 0, len(paths))
	for _, path := range paths {
		s, err := Load(path)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}
