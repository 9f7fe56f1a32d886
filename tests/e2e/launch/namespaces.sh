#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: a program in other namespaces than measure is recorded; one that sees neither the run directory nor our libraries runs, and the summary says so
. "$(dirname "$0")/../lib.sh"
command -v unshare >/dev/null || t_skip 'no unshare'
cd "$work" || exit 1
user=
[ "$(id -u)" = 0 ] || user='-U -r'
unshare $user -m true 2>/dev/null || t_skip 'no right to create namespaces'

cat >program.c <<'C'
#include <stdio.h>

int work(int i)
{
	return i + 1;
}

int main(void)
{
	int sum = 0;

	for (int i = 0; i < 10; i++)
		sum = work(sum);
	return printf("did %d\n", sum) > 0 ? 3 : 1;
}
C
${CC:-cc} -g -O0 -finstrument-functions -o program program.c || t_fail 'no program'

# ran NAME COMMAND...: the program did as without measure, and there is an archive in NAME
ran()
{
	name=$1
	"${@:2}" >out 2>err
	t_equal "$name: status" 3 $?
	t_equal "$name: output" 'did 10' "$(cat out)"
	t_equal "$name: stderr" '' "$(cat err)"
	t_wait 30 test ! -e "$name/.parts"
	t_sound "$work/$name"
}

# recorded NAME COMMAND...: it has what the program did
recorded()
{
	ran "$@"
	t_equal "$name: calls" 10 "$(otf2-print "$name/traces.otf2" | grep -c '^ENTER .*"work"')"
}

# unseen NAME COMMAND...: it has not, and the summary says why
unseen()
{
	ran "$@"
	grep -q '1 child or program after exec was not recorded: .* not in its root directory or mount namespace' \
		"$name/summary.txt" || t_fail "$name: $(cat "$name/summary.txt")"
}

for flags in '-m' '-n -i -u' '-p -f --mount-proc' '-U' '-U -r -m -n -i -u -p -f --mount-proc'; do
	case $flags in -U*) ;; *) flags="$user $flags" ;; esac
	unshare $flags true 2>/dev/null || {
		echo "not tried: unshare $flags"
		continue
	}
	spaces=$(printf '%s' "$flags" | tr -d ' -')
	recorded inside.$spaces unshare $flags "$measure" -q -o inside.$spaces ./program
	recorded exec.$spaces "$measure" -q --exec -o exec.$spaces unshare $flags ./program
	recorded follow.$spaces "$measure" -q --children=follow -o follow.$spaces unshare $flags ./program
done

# Where the file system is another one: a container that has nothing of ours, one to which the run directory and
# Measure are bound, and one that has another C library besides (whose loader may know less than ours needs).
mkdir -p bare bound/proc "bound$work" "bound$t_build" bound/usr
for link in bin lib lib64; do
	[ ! -L /$link ] || cp -d /$link bound
done
loader=$(ldd program | sed -n 's,^[^/]*\(/[^ ]*ld-linux[^ ]*\).*,\1,p')
for library in "$loader" $(ldd program | sed -n 's/.*=> \(\/[^ ]*\).*/\1/p'); do
	mkdir -p "bare${library%/*}"
	cp -L "$library" "bare$library"
done
cp program bare
${CC:-cc} -static -o bare/static program.c 2>/dev/null
real=$(realpath "$loader")
cp -L "$loader" other && touch -d 2001-01-01 other
in_bound='mount --bind /usr bound/usr && mount --rbind /proc bound/proc && mount --bind "$1" "bound$1" && mount --bind "$2" "bound$2" || exit 9'
in_other=$in_bound'; mount --bind other "bound$3" || exit 9; exec chroot bound "$1/program"'
in_bound=$in_bound'; exec chroot bound "$1/program"'
try_bound=
[ "$(unshare $user -m sh -c "$in_other" sh "$work" "$t_build" "$real" 2>&1)" = 'did 10' ] && try_bound=yes ||
	echo 'not tried: a root directory made of bind mounts'
for option in --exec --children=follow; do
	for program in program static; do
		[ -x bare/$program ] || continue
		unseen $program$option "$measure" -q $option -o $program$option unshare $user -m chroot bare /$program
	done
	if [ -n "$try_bound" ]; then
		recorded bound$option "$measure" -q $option -o bound$option unshare $user -m sh -c "$in_bound" sh "$work" "$t_build"
		unseen other$option "$measure" -q $option -o other$option unshare $user -m sh -c "$in_other" sh "$work" "$t_build" "$real"
	fi
done

# A file system that cannot be written to: one line, and the program runs.
frozen='mount --bind . . && mount -o remount,bind,ro . && cd "$PWD" && exec "$@"'
unshare $user -m sh -c "$frozen" sh "$measure" -q ./program >out 2>err
t_equal 'read-only: status' 3 $?
t_equal 'read-only: output' 'did 10' "$(cat out)"
t_equal 'read-only: lines on stderr' 1 "$(t_lines err)"
grep -q '^measure: .*: cannot create: Read-only file system: choose another --output$' err || t_fail "read-only: $(cat err)"
t_end
