/**
 * What runs around a command: `sh -c SCRIPT <shell> <command>`, as leader of its own session, with a two-way pipe to
 * the host as fd 3. The leader runs the command, reports its exit code and then waits. Beside it a guard reads the
 * pipe: `end` lets both go; a closed pipe means that the host is gone, and then the guard ends everything that the
 * command started, also what moved to a process group of its own (`timeout` does) where `/proc` shows it.
 * Both outlive SIGTERM, so that nothing is unguarded while the command is asked to end.
 * Lines to the host: `guard <pid>`, then `exit <code>`.
 */
export const LEADER_SCRIPT = `
exec 2>/dev/null
end_others() {
  for entry in /proc/[0-9]*/stat; do
    read -r line < "$entry" || continue
    pid=\${entry#/proc/}
    set -- \${line##*) }
    if [ "$4" = "$$" ] && [ "$3" != "$$" ]; then kill -KILL "\${pid%/stat}"; fi
  done
}
(
  trap '' TERM INT HUP
  exec >&-
  word=
  read -r word <&3
  [ "$word" = end ] && exit 0
  kill -TERM 0
  sleep 1
  end_others
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
