#!/bin/bash
# Kills a small build at random moments, goes on with it, and expects the same files as without:
# kill.sh KVERN-TB [KILLS]
set -u
tool=$1 kills=${2:-50}
directory=$(mktemp -d /tmp/kvern-kill-XXXXXX) || exit 1
trap 'rm -rf "$directory"' EXIT
RANDOM=1

build() {
    "$tool" build --dir "$directory/$1" --stones 4 --phase all --quiet >"$directory/log" 2>&1
}

mkdir "$directory/tables" # the shell's own start is not what is measured
start=$(date +%s%N)
build plain || { cat "$directory/log"; exit 1; }
took=$(( ($(date +%s%N) - start) / 1000000 ))
(cd "$directory/plain" && sha256sum -- *.dtm) >"$directory/expected"
for ((i = 1; i <= kills; i++)); do
    # a fresh start each time the build has come to its end
    [ -e "$directory/killed/0-0+4-4.dtm" ] && rm -r "$directory/killed"
    "$tool" build --dir "$directory/killed" --stones 4 --phase all --quiet >/dev/null 2>&1 &
    victim=$!
    sleep "$(printf '%d.%03d' $((RANDOM % (took + 1) / 1000)) $((RANDOM % 1000 * took / (took + 1000))))"
    kill -KILL $victim 2>/dev/null
    wait $victim 2>/dev/null
done
build killed || { cat "$directory/log"; exit 1; }
(cd "$directory/killed" && sha256sum -- *.dtm) | diff "$directory/expected" - || exit 1
echo "$kills kills, the same $(wc -l <"$directory/expected") files"
