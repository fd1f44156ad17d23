# Reads lines from standard input: "watch PID", "forget PID", "dir PATH".
# When the input ends, which it does however its writer dies, kills and deletes what was named.
trap '' INT TERM HUP
pids=' '
dirs=''
newline='
'
while read -r verb value; do
  case $verb in
    watch) pids="$pids$value " ;;
    forget) pids="${pids%% $value *} ${pids#* $value }" ;;
    dir) dirs="$dirs$value$newline" ;;
  esac
done
for pid in $pids; do
  kill -KILL "$pid" 2>/dev/null
done
IFS=$newline
for dir in $dirs; do
  # What PostgreSQL keeps in the kernel outlives it: the id is the second number of that line.
  line=$(sed -n 7p "$dir/data/postmaster.pid" 2>/dev/null)
  if [ -n "$line" ]; then
    ipcrm -m "${line##* }" 2>/dev/null
  fi
  rm -rf -- "$dir"
done
