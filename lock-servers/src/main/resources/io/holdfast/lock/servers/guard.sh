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
  rm -rf -- "$dir"
done
