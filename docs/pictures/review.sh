#!/bin/sh
# Opens aside on its demo agent, in whose checkout some files are changed.
. docs/pictures/home.sh
(
	until cd "$ASIDE_HOME"/data/worktrees/*/*/settings 2>/dev/null; do
		[ -d "$ASIDE_HOME" ] || exit 0
		sleep 1
	done
	cd ..
	sed -i.old -e 's/Println(s.Greeting)/Printf("%s, harbour\\n", s.Greeting)/' -e '1i\
// Command harbour greets.' main.go
	rm main.go.old
	printf 'package settings\n\n// Known says that a setting is one of ours.\nfunc Known(name string) bool {\n\treturn name == "greeting"\n}\n' >settings/known.go
) &
"$aside" demo
