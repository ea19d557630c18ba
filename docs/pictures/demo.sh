#!/bin/sh
# Opens aside on its demo agent, with a home that ends with the screen. A third
# offer is made beside the agent's two, so that there is one in every state.
. docs/pictures/home.sh
(
	until [ "$("$aside" proposals 2>/dev/null | grep -c standing)" = 2 ]; do
		[ -d "$ASIDE_HOME" ] || exit 0
		sleep 1
	done
	ASIDE_THREAD=$("$aside" threads | awk 'NR == 2 { print $1 }') "$aside" propose <<-END
		{"title": "Rename the --conf flag to --config",
		 "summary": "Every other flag is spelt out. The old name would go on working, and say so.",
		 "prompt": "Rename --conf to --config and keep the old name as a hidden alias.",
		 "files": ["main.go"]}
	END
) >/dev/null &
"$aside" demo
