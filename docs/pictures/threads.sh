#!/bin/sh
# Opens aside on a project with some history, while agents in another one go on;
# all of it is gone with the screen.
. docs/pictures/home.sh
mkdir -p "$ASIDE_HOME/config" "$HOME/app" "$HOME/site"
printf 'default_agent = "demo"\n[agents.generic]\ncommand = "cat"\n' >"$ASIDE_HOME/config/config.toml"
for project in app site; do
	cd "$HOME/$project" || exit
	git init --quiet
	printf 'one\ntwo\nthree\n' >notes.txt
	git add --all
	git -c user.name=Ada -c user.email=ada@example.org commit --quiet -m first
done
begin() { # in a project, title, prompt
	cd "$HOME/$1" && "$aside" new --wait --agent demo --title "$2" "$3"
}
put() { # a change in a thread's checkout
	cd "$HOME"/.aside/data/worktrees/*/"$1"* && printf 'one\n2\nthree\nfour\n' >notes.txt
}
old=$(begin app 'Try another file format' 'help')
migrate=$(begin app 'Migrate the store' 'help')
"$aside" stop "$old" && "$aside" archive "$old" && "$aside" stop "$migrate"
put "$(begin app 'Fix the parser' 'offer')"
put "$(begin site 'Speed the pages up' 'help')"
begin app 'Cover the loader with tests' 'ask' >/dev/null &
begin site 'Ship the new landing page' 'ask' >/dev/null &
until [ "$("$aside" decisions | grep -c permission)" = 2 ]; do
	sleep 1
done
cd "$HOME/app" && "$aside"
