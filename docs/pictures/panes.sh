#!/bin/sh
# Opens aside on its demo agent, with a home that ends with the screen and a
# shell that reads no settings. Once a shell pane is there, the agent's thread
# proposes a command for it.
. docs/pictures/home.sh
SHELL=$HOME/shell
PS1='$ '
export SHELL PS1
printf '#!/bin/sh\nexec /bin/sh -i\n' >"$SHELL"
chmod +x "$SHELL"
(
	until [ -e "$ASIDE_HOME/propose" ]; do
		[ -d "$ASIDE_HOME" ] || exit 0
		sleep 1
	done
	ASIDE_THREAD=$("$aside" threads | awk 'NR == 2 { print $1 }')
	ASIDE_PANE=agent
	ASIDE_SOCKET=$(find "$ASIDE_HOME" -name "$ASIDE_THREAD.sock")
	export ASIDE_THREAD ASIDE_PANE ASIDE_SOCKET
	{
		echo '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"picture","version":"1"}}}'
		echo '{"jsonrpc":"2.0","method":"notifications/initialized"}'
		tr -d '\n' <<-'END'
			{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"propose_terminal_actions","arguments":{"schema_version":1,"choices":[
			{"title":"Run the failing test alone","actions":[{"type":"run","command":"go test ./settings -run TestLoad"}]},
			{"title":"Watch the log","rationale":"It shows which file the loader gives up on.",
			"actions":[{"type":"open_and_run","place":"split","direction":"down","command":"tail -f log/dev.log","title":"Log"}]}]}}}
		END
		echo
		sleep 5
	} | "$aside" mcp
) >/dev/null &
"$aside" demo
