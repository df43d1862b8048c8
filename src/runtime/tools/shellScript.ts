/**
 * What runs around a command: `sh -c SCRIPT <shell> <command>`, as leader of its own session, with a two-way pipe to
 * the host as fd 3. The leader runs the command, reports its exit code and then waits. Beside it a guard reads the
 * pipe: `end` lets both go; a closed pipe means that the host is gone, and then the guard ends everything that the
 * command started. What moved to a process group or a session of its own (as with `timeout` and `setsid`) it finds
 * where `/proc` shows it, and before anything ends: then a process still tells who its parent is.
 * Both outlive SIGTERM, so that nothing is unguarded while the command is asked to end.
 * Lines to the host: `guard <pid>`, then `exit <code>`.
 */
export const LEADER_SCRIPT = `
exec 2>/dev/null
others=' '
# Adds to others, as pid:start, what is outside of the leader's group and of its session, or descends from that or from others.
note_others() {
  family=" $$ "
  before=
  while [ "$family" != "$before" ]; do
    before=$family
    for entry in /proc/[0-9]*/stat; do
      pid=\${entry#/proc/}
      pid=\${pid%/stat}
      case $family in *" $pid "*) continue ;; esac
      read -r line < "$entry" || continue
      set -- \${line##*) }
      known=no
      [ "$4" = "$$" ] && known=yes
      case $family in *" $2 "*) known=yes ;; esac
      case $others in *" $pid:\${20} "*) known=yes ;; esac
      [ $known = yes ] || continue
      family="$family$pid "
      [ "$3" = "$$" ] || others="$others$pid:\${20} "
    done
  done
}
signal_others() {
  name=$1
  for other in $others; do
    read -r line < "/proc/\${other%:*}/stat" || continue
    set -- \${line##*) }
    [ "\${20}" = "\${other#*:}" ] && kill "-$name" "\${other%:*}"
  done
}
(
  trap '' TERM INT HUP
  exec >&-
  word=
  read -r word <&3
  [ "$word" = end ] && exit 0
  note_others
  signal_others TERM
  kill -TERM 0
  sleep 1
  note_others
  signal_others KILL
  kill -KILL 0
) &
guard=$!
trap : TERM INT HUP
echo "guard $guard" >&3
"$0" -c "$1" 3>&- 2>&1
code=$?
exec >&-
echo "exit $code" >&3
while kill -0 "$guard"; do wait "$guard"; done
`;
