# Becomes a PostgreSQL server; makes its data directory first where there is none.
# $1: the directory of PostgreSQL's programs, $2: the data directory, the rest: arguments of the server.
# PostgreSQL does not run as root; then the user "postgres" that its package made is taken.
bin=$1
data=$2
shift 2
if [ "$(id -u)" -eq 0 ]; then
  chown postgres "$data"
  as="setpriv --reuid=postgres --regid=postgres --clear-groups --"
else
  as=
fi
if [ ! -s "$data/PG_VERSION" ]; then
  $as "$bin/initdb" --pgdata="$data" --username=holdfast --auth=trust --encoding=UTF8 --no-locale --no-sync || exit 1
fi
exec $as "$bin/postgres" -D "$data" "$@"
