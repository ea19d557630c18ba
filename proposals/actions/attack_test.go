package actions_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"aside/proposals/actions"
	"aside/session"
)

const program = "/opt/aside/bin/aside"

const plain = `{"schema_version":1,"choices":[{"title":"Run the test","actions":[{"type":"run","command":"go test ./..."}]}]}`

// clock is a time that tests move.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

// inside says that every relative folder is inside the checkout, but for
// those that a test calls outside.
func inside(cwd string) (string, bool) {
	return "/work/app/" + cwd, !strings.Contains(cwd, "..") && !strings.HasPrefix(cwd, "/")
}

func newDesk() (*actions.Desk, *clock) {
	c := &clock{time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	return actions.NewDesk(actions.Options{Program: program, Thread: "t1", Resolve: inside, Now: c.now}), c
}

// began is a desk on which a turn has begun.
func began() (*actions.Desk, *clock, actions.Channel) {
	d, c := newDesk()
	channel, _ := d.Begin("turn1", "s1")
	return d, c, channel
}

func command(c actions.Channel, payload string) string {
	return actions.Invocation{Program: program, Channel: c, Payload: payload}.String()
}

func submission(c actions.Channel, payload string) string {
	return fmt.Sprintf(`{"version":1,"channel":%q,"payload":%s}`, c, quoted(payload))
}

func quoted(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// attack is a command that must not get through. The marks C and P stand for
// the turn's channel and a payload that is right.
type attack struct {
	command string
	like    actions.Likeness
}

const (
	near  = actions.Near
	other = actions.Other
)

const (
	head = program + " propose-terminal-actions "
	good = head + "--channel C --payload-json 'P'"
)

func attacks() []attack {
	return slices.Concat(spacingAttacks(), shellAttacks(), namingAttacks(), payloadAttacks())
}

func spacingAttacks() []attack {
	return []attack{
		// white space
		{" " + good, near},
		{good + " ", near},
		{"\t" + good, near},
		{good + "\t", near},
		{good + "\n", near},
		{"\n" + good, near},
		{good + "\r\n", near},
		{good + "\x00", near},
		{program + "  propose-terminal-actions --channel C --payload-json 'P'", near},
		{head + " --channel C --payload-json 'P'", near},
		{head + "--channel  C --payload-json 'P'", near},
		{head + "--channel C  --payload-json 'P'", near},
		{head + "--channel C --payload-json  'P'", near},
		{head + "--channel\tC --payload-json 'P'", near},
		{head + "--channel C\t--payload-json 'P'", near},
		{head + "--channel C\n--payload-json 'P'", near},
		{head + "--channel C \\\n--payload-json 'P'", near},
		{program + "\u00a0propose-terminal-actions --channel C --payload-json 'P'", near},
		{head + "--channel\u00a0C --payload-json 'P'", near},
		{head + "--channel C\u2003--payload-json 'P'", near},
		{head + "--channel C --payload-json\u200b 'P'", near},
		// quoting
		{head + "--channel 'C' --payload-json 'P'", near},
		{head + `--channel "C" --payload-json 'P'`, near},
		{head + `--channel C --payload-json "P"`, near},
		{head + "--channel C --payload-json P", near},
		{head + "--channel C --payload-json $'P'", near},
		{head + "--channel C --payload-json 'P", near},
		{head + "--channel C --payload-json P'", near},
		{head + "--channel C --payload-json ''P''", near},
		{head + "--channel C --payload-json 'P'''", near},
		{head + "--channel C --payload-json '{\"a\":\"it'\\''s\"}'", near},
		{head + "--channel C --payload-json '{\"a\":\"it'\"'\"'s\"}'", near},
		{head + "'--channel' C --payload-json 'P'", near},
		{`"` + program + `" propose-terminal-actions --channel C --payload-json 'P'`, near},
		{"'" + program + "' propose-terminal-actions --channel C --payload-json 'P'", near},
		{program + " 'propose-terminal-actions' --channel C --payload-json 'P'", near},
		{program + ` pro''pose-terminal-actions --channel C --payload-json 'P'`, near},
		{program + ` pro\pose-terminal-actions --channel C --payload-json 'P'`, near},
		{head + "--channel=C --payload-json='P'", near},
		{head + "--channel=C --payload-json 'P'", near},
		{head + "--channel C --payload-json='P'", near},
		{head + "--channel C --payload-json \\'P\\'", near},
		// extra tokens
		{head + "--payload-json 'P' --channel C", near},
		{head + "--channel C --channel C --payload-json 'P'", near},
		{head + "--channel C --payload-json 'P' --payload-json 'P'", near},
		{head + "--channel C --payload-json 'P' extra", near},
		{head + "extra --channel C --payload-json 'P'", near},
		{head + "-- --channel C --payload-json 'P'", near},
		{head + "--channel C --payload-json -- 'P'", near},
		{head + "--verbose --channel C --payload-json 'P'", near},
		{head + "--channel C", near},
		{head + "--payload-json 'P'", near},
		{head + "--channel --payload-json 'P'", near},
		{head + "--channel C --payload-json", near},
		{head + "--channel C --payload-json ''", near},
		{head, near},
		{program + " propose-terminal-actions", near},
		{program + " propose-terminal-actions --help", near},
		{program + " --json propose-terminal-actions --channel C --payload-json 'P'", near},
		{program + " help propose-terminal-actions", other},
	}
}

func shellAttacks() []attack {
	return []attack{
		// chaining
		{good + "; rm -rf build", near},
		{good + ";", near},
		{good + " ; true", near},
		{good + "&", near},
		{good + " &", near},
		{good + " && true", near},
		{good + "&&true", near},
		{good + " || true", near},
		{good + " | cat", near},
		{good + "|cat", near},
		{good + "|&cat", near},
		{good + "\ntrue", near},
		{good + " #", near},
		{good + " # comment", near},
		{"true; " + good, near},
		{"true && " + good, near},
		{"true || " + good, near},
		{"echo x | " + good, near},
		{"true\n" + good, near},
		{"cd /tmp && " + good, near},
		{"(" + good + ")", near},
		{"{ " + good + "; }", near},
		{"if " + good + "; then rm x; fi", near},
		{"! " + good, near},
		{"while " + good + "; do :; done", near},
		{"coproc " + good, near},
		{"time " + good, near},
		{"exec " + good, near},
		{"command " + good, near},
		{"builtin " + good, near},
		{"nohup " + good, near},
		{"sudo " + good, near},
		{"env " + good, near},
		{"env -i " + good, near},
		{"xargs " + good, near},
		{"timeout 600 " + good, near},
		{"bash -c \"" + good + "\"", near},
		{"sh -c " + good, near},
		{"eval " + good, near},
		{"ASIDE_SOCKET=/tmp/x " + good, near},
		{"PATH=/tmp " + good, near},
		{"FOO=bar\t" + good, near},
		{"f() { " + good + "; }; f", near},
		{"alias x='y'; " + good, near},
		// redirection
		{good + " > out", near},
		{good + ">out", near},
		{good + " 2>&1", near},
		{good + " >> ~/.bashrc", near},
		{good + " < /dev/null", near},
		{good + " <<< x", near},
		{good + " <<EOF\nx\nEOF", near},
		{"> out " + good, near},
		{"2>/dev/null " + good, near},
		// substitution
		{head + "--channel $(echo C) --payload-json 'P'", near},
		{head + "--channel `echo C` --payload-json 'P'", near},
		{head + "--channel $CHANNEL --payload-json 'P'", near},
		{head + "--channel ${CHANNEL} --payload-json 'P'", near},
		{head + "--channel C --payload-json \"$(cat p)\"", near},
		{head + "--channel C --payload-json \"$P\"", near},
		{head + "--channel C --payload-json `cat p`", near},
		{head + "--channel C --payload-json <(cat p)", near},
		{head + "--channel C --payload-json 'P'$(touch x)", near},
		{head + "--channel C --payload-json 'P'`touch x`", near},
		{head + "--channel C --payload-json 'P'\"$(touch x)\"", near},
		{head + "--channel C --payload-json 'P'*", near},
		{head + "--channel {C,C} --payload-json 'P'", near},
		{"$(which aside) propose-terminal-actions --channel C --payload-json 'P'", near},
		{"$ASIDE propose-terminal-actions --channel C --payload-json 'P'", near},
	}
}

func namingAttacks() []attack {
	return []attack{
		// other spellings of the path
		{"aside propose-terminal-actions --channel C --payload-json 'P'", near},
		{"./aside propose-terminal-actions --channel C --payload-json 'P'", near},
		{"~/bin/aside propose-terminal-actions --channel C --payload-json 'P'", near},
		{"/opt/aside/bin/../bin/aside propose-terminal-actions --channel C --payload-json 'P'", near},
		{"/opt/aside//bin/aside propose-terminal-actions --channel C --payload-json 'P'", near},
		{"/opt/aside/bin/./aside propose-terminal-actions --channel C --payload-json 'P'", near},
		{"/tmp/aside propose-terminal-actions --channel C --payload-json 'P'", near},
		{"/opt/aside/bin/aside2 propose-terminal-actions --channel C --payload-json 'P'", near},
		{"/opt/aside/bin/as?de propose-terminal-actions --channel C --payload-json 'P'", near},
		{"/opt/aside/bin/Aside propose-terminal-actions --channel C --payload-json 'P'", near},
		{"/opt/aside/bin/аside propose-terminal-actions --channel C --payload-json 'P'", near}, // Cyrillic а
		{"\\/opt/aside/bin/aside propose-terminal-actions --channel C --payload-json 'P'", near},
		{"/opt/aside/bin/aside hook propose-terminal-actions --channel C --payload-json 'P'", near},
		// look-alikes
		{program + " propose\u2010terminal\u2010actions --channel C --payload-json 'P'", other},
		{program + " рropose-terminal-actions --channel C --payload-json 'P'", other}, // Cyrillic р
		{program + " propose-terminal-actions \u2013-channel C --payload-json 'P'", near},
		{program + " Propose-Terminal-Actions --channel C --payload-json 'P'", other},
		{head + "--Channel C --payload-json 'P'", near},
		{head + "--channel C --payload-json ‘P’", near},
		{head + "--channel C --payload-json ＇P＇", near},
		{head + "-channel C -payload-json 'P'", near},
		{"\u200b" + good, near},
		{good + "\u200b", near},
		{"\u202e" + good, near},
		{"\ufeff" + good, near},
		// not this command at all
		{"", other},
		{"ls -la", other},
		{"grep -rn propose-terminal-actions docs", other},
		{"echo 'P'", other},
		{"man aside", other},
		{program + " threads", other},
		{program + " confirm abc 1", other},
	}
}

// payloadAttacks are payloads and channels that are not what they have to be.
func payloadAttacks() []attack {
	var all []attack
	for _, payload := range []string{
		`{ "schema_version":1}`, `{"schema_version": 1}`, `{"schema_version":1 }`, `{"schema_version":1} `, ` {"schema_version":1}`,
		"{\"schema_version\":1,\n\"choices\":[]}", "{\"schema_version\":1,\t\"choices\":[]}",
		`{"schema_version":1,"schema_version":1}`, `{"a":{"b":1,"b":2}}`, `{"a":1,"\u0061":2}`,
		`{"a":"\u0041"}`, `{"a":"\/"}`, `{"a":"\u0022"}`, `{"a":"\u005c"}`, `{"a":"\u000a"}`, `{"a":"\u00E9"}`, `{"a":"\U0001f600"}`,
		`{"a":"\ud800"}`, `{"a":"\udc00\ud800"}`, `{"a":"\u12"}`, `{"a":"\x41"}`, `{"a":"\'"}`, `{"\u0061":1}`,
		`{"a":"é"}`, `{"a":"😀"}`, "{\"a\":\"\x7f\"}", "{\"a\":\"\x1b[2J\"}", "{\"a\":\"\x00\"}", "{\"a\":\"\xff\"}", "{\"a\":\"\n\"}",
		`{"a":1.0}`, `{"a":1e0}`, `{"a":01}`, `{"a":-0}`, `{"a":+1}`, `{"a":.5}`, `{"a":0x1}`, `{"a":NaN}`, `{"a":1-}`,
		`[]`, `"text"`, `1`, `null`, `true`, ``, `{`, `}`, `{}}`, `{}{}`, `{},`, `{"a"}`, `{"a":}`, `{"a":1,}`, `[1,]`, `{a:1}`, `{"a":1 "b":2}`,
		`{"a":1}/*x*/`, `//x`, `{"a":tru}`, `{"a":True}`,
		strings.Repeat(`{"a":`, 40) + "1" + strings.Repeat("}", 40),
		`{"a":"` + strings.Repeat("x", actions.MaxPayload) + `"}`,
	} {
		all = append(all, attack{head + "--channel C --payload-json '" + payload + "'", near})
	}
	hex := strings.Repeat("0", 32)
	for _, channel := range []string{
		"", "v1", "v1.", "v2." + hex + "." + hex, "V1." + hex + "." + hex, "v1." + hex, "v1." + hex + "." + hex[1:], "v1." + hex + "." + hex + "0",
		"v1." + hex + "-" + hex, "v1." + strings.Repeat("A", 32) + "." + hex, "v1." + strings.Repeat("g", 32) + "." + hex,
		"v1." + hex + "." + hex[:31] + "\u0660", "v1." + hex + "." + hex[:31] + "$", "v1." + hex + "." + hex[:31] + ";", "v1." + hex + "." + hex[:31] + "*",
		"v1." + hex[:16] + "." + hex + hex[:16], "v1.." + hex + hex, "v1 " + hex + "." + hex, " v1." + hex + "." + hex,
	} {
		all = append(all, attack{head + "--channel " + channel + " --payload-json 'P'", near})
	}
	return all
}

func TestEveryNeighbourOfTheCanonicalFormIsRefused(t *testing.T) {
	rows := attacks()
	if len(rows) < 150 {
		t.Fatalf("only %d attacks", len(rows))
	}
	for _, a := range rows {
		d, _, channel := began()
		text := strings.NewReplacer("PATH", "PATH", "Propose", "Propose", "--channel C", "--channel "+string(channel), "C ", string(channel)+" ", "C'", string(channel)+"'", "C\"", string(channel)+"\"",
			"C\t", string(channel)+"\t", "C\n", string(channel)+"\n", "C\u2003", string(channel)+"\u2003", "C)", string(channel)+")",
			"C`", string(channel)+"`", "{C,C}", "{"+string(channel)+","+string(channel)+"}", "P", plain).Replace(a.command)
		if got := actions.Recognise(program, text); got.Likeness != a.like {
			t.Errorf("%q is taken for %d, want %d (%s)", text, got.Likeness, a.like, got.Reason)
		}
		verdict, reason := d.Judge(text)
		want := actions.Deny
		if a.like == other {
			want = actions.Untouched
		}
		if verdict != want {
			t.Errorf("%q gets verdict %d, want %d", text, verdict, want)
		}
		if verdict == actions.Deny && !strings.Contains(reason, program+" propose-terminal-actions --channel ") {
			t.Errorf("%q is denied without the canonical form: %s", text, reason)
		}
		reply, card := d.Submit(submission(channel, plain), "s1")
		if reply.Status != actions.NotArmed || card != nil || d.Pending() != nil {
			t.Errorf("after %q a submission is %s", text, reply.Status)
		}
	}
}

func TestTheCanonicalFormIsAllowedOnceAndSilently(t *testing.T) {
	d, _, channel := began()
	if v, reason := d.Judge(command(channel, plain)); v != actions.Allow || reason != "" {
		t.Fatalf("verdict %d, %q", v, reason)
	}
	if v, _ := d.Judge(command(channel, plain)); v != actions.Deny {
		t.Errorf("a second time: verdict %d", v)
	}
	reply, card := d.Submit(submission(channel, plain), "s1")
	if reply.Status != actions.Accepted || card == nil || reply.Card != card.ID {
		t.Fatalf("got %+v, %+v", reply, card)
	}
	if card.State != session.CardPending || card.Turn != "turn1" || card.Thread != "t1" || card.Choices[0].Actions[0].Command != "go test ./..." {
		t.Errorf("the card is %+v", card)
	}
}

func TestADenialSaysHowToWriteIt(t *testing.T) {
	d, _, channel := began()
	loose := program + " propose-terminal-actions --channel " + string(channel) + ` --payload-json '{"schema_version": 1, "choices": [{"title":"it'\''s"}]}'`
	_, reason := d.Judge(loose)
	want := command(channel, `{"schema_version":1,"choices":[{"title":"it\u0027s"}]}`)
	if !strings.HasSuffix(reason, want) {
		t.Errorf("got %s\nwant at its end %s", reason, want)
	}
	if v, _ := d.Judge(want); v != actions.Allow {
		t.Error("the form that it names is not let through")
	}
}

func TestAProgramWhosePathAShellReadsOtherwiseIsNeverCanonical(t *testing.T) {
	_, _, channel := began()
	for _, path := range []string{"/opt/my aside", "/opt/a$b/aside", "/opt/a'b/aside", "/opt/é/aside", "relative/aside", "/opt/../aside", "/opt/a*/aside", "~/aside", "/opt/a;b"} {
		if actions.Callable(path) {
			t.Errorf("%q is callable", path)
		}
		in := actions.Invocation{Program: path, Channel: channel, Payload: plain}
		if r := actions.Recognise(path, in.String()); r.Likeness == actions.Canonical {
			t.Errorf("%q is canonical", in)
		}
	}
}
