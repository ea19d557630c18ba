package proposals_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"aside/proposals"
	"aside/session"
)

const whole = `{"title":"Cover the loader","summary":"Adds tests.","prompt":"Write tests."}`

func TestDecode(t *testing.T) {
	family := "👨‍👩‍👧"
	tests := []struct {
		name string
		raw  string
		want proposals.Offer
	}{
		{"required only", whole, proposals.Offer{Title: "Cover the loader", Summary: "Adds tests.", Prompt: "Write tests."}},
		{
			"everything", `{"title":"a","summary":"b","rationale":"c","prompt":"d","files":["e","f"]}`,
			proposals.Offer{Title: "a", Summary: "b", Rationale: "c", Prompt: "d", Files: []string{"e", "f"}},
		},
		{"unknown field", `{"title":"a","summary":"b","prompt":"d","colour":{"x":[1]}}`, offer("a", "b", "d")},
		{"names are exact", `{"title":"a","Title":"x","summary":"b","prompt":"d"}`, offer("a", "b", "d")},
		{"title is one line", `{"title":" a\n\tb\u2028c ","summary":"b","prompt":"d"}`, offer("a b c", "b", "d")},
		{"null is absent", `{"title":"a","summary":"b","prompt":"d","rationale":null,"files":null}`, offer("a", "b", "d")},
		{"blank is absent", `{"title":"a","summary":"b","prompt":"d","rationale":" \u200b\n","files":[" ",""]}`, offer("a", "b", "d")},
		{"escape sequences go whole", `{"title":"\u001b[31mred\u001b]0;x\u0007 \u009b1mbold","summary":"b","prompt":"d"}`, offer("red bold", "b", "d")},
		{"controls, bidi, zero width", `{"title":"a\u0000\u0008\u202eb\u200b\u2066c\ufeff","summary":"\u200fb\u00ad","prompt":"d"}`, offer("abc", "b", "d")},
		{"emoji stays one", `{"title":"` + family + `","summary":"b","prompt":"d"}`, offer(family, "b", "d")},
		{
			"prompt is verbatim", `{"title":"a","summary":"b","prompt":"\n  do\r\n\n  \u001b[31mthis\u202e  now\t\n"}`,
			offer("a", "b", "do\r\n\n  \x1b[31mthis\u202e  now"),
		},
		{
			"files are cleaned and folded", `{"title":"a","summary":"b","prompt":"d","files":["x.go",1,null,{"a":"b"},["x"],"x.go","\u001b[1mx.go","y\u200b.go\n"]}`,
			proposals.Offer{Title: "a", Summary: "b", Prompt: "d", Files: []string{"x.go", "y.go"}},
		},
		{"a pair of surrogates", `{"title":"a","summary":"b","prompt":"\ud83d\ude00 \\ud800"}`, offer("a", "b", `😀 \ud800`)},
		{"white space around", "\n " + whole + " \n", proposals.Offer{Title: "Cover the loader", Summary: "Adds tests.", Prompt: "Write tests."}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := proposals.Decode(json.RawMessage(tt.raw))
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
			again(t, got)
		})
	}
}

func offer(title, summary, prompt string) proposals.Offer {
	return proposals.Offer{Title: title, Summary: summary, Prompt: prompt}
}

// again asserts that storing and reading an offer changes nothing.
func again(t *testing.T, o proposals.Offer) {
	t.Helper()
	raw, err := proposals.Arguments(o.Proposal("thread", "call", day))
	if err != nil {
		t.Fatal(err)
	}
	got, err := proposals.Decode(raw)
	if err != nil {
		t.Fatalf("decode what was stored: %v", err)
	}
	if !reflect.DeepEqual(got, o) {
		t.Errorf("stored and read again:\ngot  %q\nwant %q", got, o)
	}
}

func TestDecodeRefuses(t *testing.T) {
	with := func(field, value string) string {
		m := map[string]json.RawMessage{"title": []byte(`"a"`), "summary": []byte(`"b"`), "prompt": []byte(`"c"`)}
		delete(m, field)
		var b strings.Builder
		for k, v := range m {
			fmt.Fprintf(&b, "%q:%s,", k, v)
		}
		if value == "" {
			return "{" + strings.TrimSuffix(b.String(), ",") + "}"
		}
		return "{" + b.String() + fmt.Sprintf("%q:%s}", field, value)
	}
	tests := []struct{ name, raw, field string }{
		{"empty", ``, "arguments"},
		{"null", `null`, "arguments"},
		{"a list", `[]`, "arguments"},
		{"a string", `"title"`, "arguments"},
		{"half an object", `{"title":"a"`, "arguments"},
		{"no comma", `{"title":"a" "summary":"b"}`, "arguments"},
		{"a bare key", `{title:"a"}`, "arguments"},
		{"two objects", whole + whole, "arguments"},
		{"something behind", whole + "]", "arguments"},
		{"enormous", with("summary", `"`+strings.Repeat("a", 1<<20)+`"`), "arguments"},
		{"deep", with("files", strings.Repeat("[", 20000)+strings.Repeat("]", 20000)), "arguments"},
		{"prompt too long", with("prompt", `"`+strings.Repeat("a", 64<<10+1)+`"`), "prompt"},
		{"prompt with NUL", with("prompt", `"a\u0000b"`), "prompt"},
		{"files is a string", with("files", `"x.go"`), "files"},
		{"files is an object", with("files", `{"0":"x.go"}`), "files"},
		{"rationale is a number", with("rationale", `1`), "rationale"},
		{"twice", `{"title":"a","title":"b","summary":"b","prompt":"d"}`, "title"},
		{"twice, spelled apart", `{"prompt":"a","pr\u006fmpt":"b","title":"t","summary":"b"}`, "prompt"},
		{"an unknown one twice", `{"x":1,"x":1,"title":"t","summary":"b","prompt":"d"}`, "x"},
		{"no UTF-8", with("title", "\"a\xff\""), "title"},
		{"an encoded surrogate", with("prompt", "\"a\xed\xa0\x80\""), "prompt"},
		{"half a pair", with("prompt", `"a\ud800"`), "prompt"},
		{"half a pair and text", with("prompt", `"a\uD83Dx\uDE00"`), "prompt"},
		{"the second half", with("prompt", `"\udC00"`), "prompt"},
		{"bad text in files", with("files", "[\"a\xff\"]"), "files"},
	}
	for _, field := range []string{"title", "summary", "prompt"} {
		for name, value := range map[string]string{
			"missing": "", "null": `null`, "blank": `" \n\t"`, "empty": `""`,
			"a number": `1`, "a list": `["a"]`, "an object": `{"a":"b"}`, "a bool": `true`,
		} {
			tests = append(tests, struct{ name, raw, field string }{field + " " + name, with(field, value), field})
		}
	}
	tests = append(tests, struct{ name, raw, field string }{"title is invisible", with("title", `"\u200b\u202e\u001b[1m"`), "title"})
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := proposals.Decode(json.RawMessage(tt.raw))
			var wrong *proposals.ArgumentError
			if !errors.As(err, &wrong) {
				t.Fatalf("got %v, %v; want an ArgumentError", got, err)
			}
			if wrong.Field != tt.field {
				t.Errorf("names %q, want %q: %v", wrong.Field, tt.field, err)
			}
		})
	}
}

func TestDecodeLimits(t *testing.T) {
	flag, accent := "🇫🇷", "e\u0301"
	raw := func(o proposals.Offer) json.RawMessage {
		b, err := json.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	decode := func(o proposals.Offer) proposals.Offer {
		t.Helper()
		got, err := proposals.Decode(raw(o))
		if err != nil {
			t.Fatal(err)
		}
		again(t, got)
		return got
	}
	long := offer("t", "s", "p")
	for _, char := range []string{"a", "é", accent, flag, "👨‍👩‍👧", "字"} {
		long.Title, long.Summary = strings.Repeat(char, 80), strings.Repeat(char, 400)
		if got := decode(long); got.Title != long.Title || got.Summary != long.Summary {
			t.Errorf("%q: what fits exactly was changed", char)
		}
		long.Title, long.Summary = long.Title+char, long.Summary+char
		got := decode(long)
		if want := strings.Repeat(char, 79) + "…"; got.Title != want {
			t.Errorf("%q: title is %q, want %q", char, got.Title, want)
		}
		if want := strings.Repeat(char, 399) + "…"; got.Summary != want {
			t.Errorf("%q: summary is %q", char, got.Summary)
		}
	}

	marks := offer(strings.Repeat("e"+strings.Repeat("\u0301", 5000), 2), "s", "p")
	if got := decode(marks); len(got.Title) > 80*40 || !strings.HasSuffix(got.Title, "…") {
		t.Errorf("a title of few characters and many marks takes %d bytes", len(got.Title))
	}

	exact := offer("t", "s", strings.Repeat("p", 64<<10))
	if got := decode(exact); got.Prompt != exact.Prompt {
		t.Error("a prompt of 64 KiB was changed")
	}
	exact.Prompt = " \n" + exact.Prompt + "\n"
	if got := decode(exact); len(got.Prompt) != 64<<10 {
		t.Errorf("white space counts: %d bytes", len(got.Prompt))
	}

	many := offer("t", "s", "p")
	for i := range 300 {
		many.Files = append(many.Files, fmt.Sprintf("file%d.go", i))
	}
	if got := decode(many); len(got.Files) != 200 || got.Files[199] != "file199.go" {
		t.Errorf("%d files", len(got.Files))
	}
}

func TestIdentity(t *testing.T) {
	o := offer("t", "s", "p")
	p := o.Proposal("thread", "call", day)
	if p.ID != session.NewProposalID("thread", "call") || p.State != session.ProposalStanding || !p.OfferedAt.Equal(day) {
		t.Errorf("got %+v", p)
	}
	if o.Proposal("other", "call", day).ID == p.ID || o.Proposal("thread", "other", day).ID == p.ID {
		t.Error("another thread or call has the same id")
	}
}

func TestFoldKey(t *testing.T) {
	key := proposals.FoldKey("Cover the Loader", "Write\n\n tests")
	for _, same := range [][2]string{
		{"cover  the loader", "write tests"}, {" COVER THE LOADER\n", "WRITE\tTESTS "},
	} {
		if proposals.FoldKey(same[0], same[1]) != key {
			t.Errorf("%q is another offer", same)
		}
	}
	if proposals.FoldKey("ΟΔΟΣ", "x") != proposals.FoldKey("οδος", "x") {
		t.Error("a final sigma makes another offer")
	}
	for _, other := range [][2]string{
		{"Cover the Loader", "Write a test"}, {"Cover the Loader Write", "tests"}, {"", "Cover the Loader Write tests"},
	} {
		if proposals.FoldKey(other[0], other[1]) == key {
			t.Errorf("%q is the same offer", other)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(whole))
	f.Add([]byte(`{"title":"\u001b[1ma\u202e","summary":"👨‍👩‍👧e\u0301","rationale":"","prompt":" \ud83d\ude00","files":["a","a",1]}`))
	f.Add([]byte(`{"title":"a","title":"b"}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		o, err := proposals.Decode(raw)
		if err != nil {
			var wrong *proposals.ArgumentError
			if !errors.As(err, &wrong) || wrong.Field == "" {
				t.Fatalf("got %v", err)
			}
			return
		}
		if o.Title == "" || o.Summary == "" || strings.TrimSpace(o.Prompt) == "" || len(o.Prompt) > 64<<10 || len(o.Files) > 200 {
			t.Fatalf("breaks the rules: %q", o)
		}
		for _, shown := range append([]string{o.Title, o.Summary, o.Rationale}, o.Files...) {
			if shown != session.CleanLine(shown) {
				t.Fatalf("not sanitised: %q", shown)
			}
		}
		again(t, o)
	})
}

func FuzzDecodeText(f *testing.F) {
	f.Add("a\u0600\u0600", "👨‍👩‍👧", "\x1b[1mp", "e\u0301\u0301")
	f.Add(strings.Repeat("e"+strings.Repeat("\u0301", 60), 80), strings.Repeat("👨\u200d", 2000), "p", "\u2028")
	f.Fuzz(func(t *testing.T, title, summary, prompt, file string) {
		raw, err := json.Marshal(proposals.Offer{Title: title, Summary: summary, Rationale: file, Prompt: prompt, Files: []string{file, title}})
		if err != nil {
			t.Skip()
		}
		o, err := proposals.Decode(raw)
		if err != nil {
			return
		}
		for _, shown := range append([]string{o.Title, o.Summary, o.Rationale}, o.Files...) {
			if shown != session.CleanLine(shown) {
				t.Fatalf("not sanitised: %q", shown)
			}
		}
		again(t, o)
	})
}

// A run of string introducers that never end must take linear time: a scan to
// the end for each of them would be minutes.
func BenchmarkDecodeHostile(b *testing.B) {
	raw, err := json.Marshal(offer("a"+strings.Repeat("\u009d", 150<<10), "b", "c"))
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		if _, err := proposals.Decode(raw); err != nil {
			b.Fatal(err)
		}
	}
}
