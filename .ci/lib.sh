# Shared by ./holdfast, ./soak and ./verify. Sourced, not run.

# What is held to the contract: its name, its module, and what the names of its tests begin with.
# shellcheck disable=SC2034 # Used by those that source this.
modes='redis lock-redis redis.Redis
redis-sentinel lock-redis redis.Sentinel
redis-cluster lock-redis redis.Cluster
redlock lock-redlock redlock.Redlock
zookeeper lock-zookeeper zookeeper.ZooKeeper
etcd lock-etcd etcd.Etcd
postgres-advisory lock-postgres postgres.PostgresAdvisory
postgres-table lock-postgres postgres.PostgresTable
postgres-row lock-postgres postgres.PostgresRow
memory lock-tck-tests tck.Memory'

# For Maven: a build of who only wants to run something, without the checks that ./verify makes.
# shellcheck disable=SC2034
unchecked=(-Dspotless.check.skip=true -Dcompiler.checks=-Xlint:all)

# What decides who holds a lock, and until when: of these, CI tries mutants.
# shellcheck disable=SC2034
mutation_core=$(printf 'io.holdfast.lock.engine.%s,' \
  AcquisitionOutcome Backoff EarlierEnd LeaseLife LocalQueue OwnerIds ReleaseBackoff \
  RenewalHealth RenewalTerms Renewals SharedLeases Tenure 'Tenure$*' TenureLeases \
  TenureValidity Tokens Validity)

# The classes of the backends that need no server. Each name stands for a class, what is nested in it, and
# its tests, whose names begin like it; none of them may start a server.
# shellcheck disable=SC2034
mutation_backends=$(printf 'io.holdfast.lock.%s*,' \
  redis.client.{ReconnectingConnection,ReconnectionPauses,RedisAddress,RedisConfig,RedisFailures,RedisInfo} \
  redis.node.{ClaimState,LockKeys,PendingRenewals,ReleaseChannel} \
  redis.topology.{ClusterMembership,ClusterNodes,ClusterView,SlotTags} \
  redlock.{Ballot,PendingCleanup,QuorumHolder,QuorumNotifications,Tally} \
  zookeeper.{LockPaths,ZooKeeperConfig} zookeeper.admin.{ServerVersions,ZooKeeperHealthCheck} \
  zookeeper.client.{CertifiedHosts,ZooKeeperFailures} zookeeper.queue. \
  etcd.EtcdConfig etcd.admin.MemberConsistency \
  etcd.client.{AuthToken,EtcdConnection,EtcdFailures,KeepAlives,Member,ReconnectPause,Watch} \
  etcd.lease.{LeaseLengths,QueuedKey,RenewalProof,ServerLease} \
  etcd.queue.{ClaimValue,FreedPermits,LockKeys,QueueEntry} \
  postgres.connect.{ConnectionSource,PgFailures,PostgresConfig,TlsFailures} \
  postgres.schema. postgres.session.{InvolvedSessions,Waiters})

die() {
  printf '%s\n' "$*" >&2
  exit 1
}

# The version of a java program, such as 17.0.15. A JDK has it in a file, which is quicker to read than
# to start a JVM.
java_version() {
  local program home line
  program=$(readlink -f "$(command -v "$1")")
  home=${program%/bin/java}
  if [[ -r $home/release ]]; then
    while read -r line; do
      if [[ $line == JAVA_VERSION=* ]]; then
        line=${line#*\"}
        echo "${line%\"*}"
        return
      fi
    done <"$home/release"
  fi
  "$1" -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java.version = \(.*\)/\1/p'
}

# The major version of a java program.
java_major() {
  java_version "$1" | sed -n 's/^\([0-9]*\).*/\1/p'
}

# Sets JAVA to a java of version 17 or newer.
require_java() {
  local java major
  for java in "${JAVA_HOME:+$JAVA_HOME/bin/java}" java; do
    if [[ -n $java ]] && command -v "$java" >/dev/null; then
      major=$(java_major "$java")
      if [[ ${major:-0} -ge 17 ]]; then
        JAVA=$java
        return
      fi
    fi
  done
  die "JDK 17 or newer is needed${major:+, but $java is $major}. On Debian or Ubuntu:
  sudo apt-get install openjdk-17-jdk-headless maven"
}

require_maven() {
  command -v mvn >/dev/null || die "Maven 3.8 or newer is needed. On Debian or Ubuntu:
  sudo apt-get install maven"
}

has_docker() {
  command -v docker >/dev/null && docker info >/dev/null 2>&1
}

# Whether a server's program, or another that tests need, is here.
has_server() {
  case $1 in
    # Debian keeps its programs off the search path.
    postgresql) command -v postgres >/dev/null || compgen -G '/usr/lib/postgresql/*/bin/postgres' >/dev/null ;;
    etcd-server) command -v etcd >/dev/null ;;
    chromium) command -v chromium chromium-browser google-chrome >/dev/null ;;
    *) command -v "$1" >/dev/null ;;
  esac
}

# Installs a Debian package where neither its program nor Docker is there. Starts no service,
# and stops none.
install_server() {
  if has_server "$1" || has_docker; then
    return 0
  fi
  if ! command -v apt-get >/dev/null; then
    echo "There is no $1, and no apt-get to install it with." >&2
    return 1
  fi
  local as_root=()
  if [[ $(id -u) -ne 0 ]]; then
    if ! { command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [[ -t 0 ]]; }; }; then
      echo "There is no $1. Run as root: apt-get install $1" >&2
      return 1
    fi
    as_root=(sudo)
  fi
  echo "Installing $1 (only the program; no service is started) ..." >&2
  # A subshell, whose trap takes the policy away again however this ends.
  (
    policy=/usr/sbin/policy-rc.d
    if [[ ! -e $policy ]]; then
      trap '"${as_root[@]}" rm -f "$policy"' EXIT
      printf '#!/bin/sh\nexit 101\n' | "${as_root[@]}" tee "$policy" >/dev/null
      "${as_root[@]}" chmod 755 "$policy"
    fi
    get=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=120)
    "${get[@]}" update </dev/null >/dev/null || true
    "${get[@]}" install -y --no-install-recommends "$1" </dev/null >/dev/null
  ) && has_server "$1"
}
