# Becomes a PostgreSQL server; makes its data directory first where there is none.
# $1: the directory of PostgreSQL's programs, $2: the data directory, $3: the port of the primary for a
# standby, or nothing; $4: a data directory to copy, which is made if it is not there; the rest: arguments of
# the server.
# PostgreSQL does not run as root; then the user "postgres" that its package made is taken.
bin=$1
data=$2
primary=$3
template=$4
shift 4
if [ "$(id -u)" -eq 0 ]; then
  chown postgres "$data"
  as="setpriv --reuid=postgres --regid=postgres --clear-groups --"
else
  as=
fi
if [ ! -s "$data/PG_VERSION" ]; then
  if [ -n "$primary" ]; then
    chmod 700 "$data"
    $as "$bin/pg_basebackup" --host=127.0.0.1 --port="$primary" --username=holdfast --pgdata="$data" \
      --write-recovery-conf --checkpoint=fast --no-sync || exit 1
  elif [ -s "$template/PG_VERSION" ]; then
    cp -a "$template/." "$data" || exit 1
  else
    $as "$bin/initdb" --pgdata="$data" --username=holdfast --auth=trust --encoding=UTF8 --no-locale \
      --wal-segsize=1 --no-sync || exit 1
    # Complete or not there at all; if another has been faster, that one stays.
    cp -a "$data" "$template.$$" && mv -n -T "$template.$$" "$template"
    rm -rf "$template.$$"
  fi
fi
# A false clock's library is for the server only: what it shares belongs to who loads it first under a
# process id, and that was this shell.
preload=${LD_PRELOAD-}
unset LD_PRELOAD
rm -f "/dev/shm/sem.faketime_sem_$$" "/dev/shm/faketime_shm_$$"
exec $as env ${preload:+LD_PRELOAD="$preload"} "$bin/postgres" -D "$data" "$@"
