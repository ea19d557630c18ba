package cells

import (
	"strings"

	"aside/session"
)

// tab is what a tab is drawn as: its width must not depend on its column.
const tab = "    "

// Clean returns text that is safe to draw, as session.Clean says, with tabs as
// spaces.
func Clean(s string) string { return strings.ReplaceAll(session.Clean(s), "\t", tab) }

// Mark returns text in which all that Clean leaves out is a visible mark, as
// session.Mark says, with tabs as spaces.
func Mark(s string) string { return strings.ReplaceAll(session.Mark(s), "\t", tab) }
