package claude

import "strings"

// unwrapped returns a prompt without the marks that the client puts around
// what was pasted and is long:
//
//	<pasted_content id="d5dc">
//	…
//	</pasted_content id="d5dc">
//
// They are its own, with blank lines around them that nobody typed.
func unwrapped(prompt string) string {
	const opening, closing = `<pasted_content id="`, `</pasted_content id="`
	if !strings.Contains(prompt, opening) {
		return prompt
	}
	var b strings.Builder
	for {
		before, rest, opened := strings.Cut(prompt, opening)
		id, rest, named := strings.Cut(rest, "\">\n")
		content, after, closed := strings.Cut(rest, "\n"+closing+id+`">`)
		if !opened || !named || !closed || strings.ContainsAny(id, "\"\n") {
			b.WriteString(prompt)
			return strings.TrimSpace(b.String())
		}
		b.WriteString(strings.TrimSuffix(before, "\n\n"))
		b.WriteString(content)
		prompt = strings.TrimPrefix(after, "\n")
	}
}
