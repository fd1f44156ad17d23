# Becomes a PgBouncer. $1: its configuration file. It does not run as root either.
if [ "$(id -u)" -eq 0 ]; then
  exec setpriv --reuid=postgres --regid=postgres --clear-groups -- pgbouncer "$1"
fi
exec pgbouncer "$1"
