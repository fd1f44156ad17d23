/** Locks on etcd, through jetcd's gRPC stubs. */
module io.holdfast.lock.etcd {
  requires transitive io.holdfast.lock;
  requires transitive io.grpc;
  requires io.grpc.stub;
  requires com.google.protobuf;
  requires com.google.common;
  requires jetcd.grpc;
  requires org.slf4j;
  requires static transitive org.jspecify;

  exports io.holdfast.lock.etcd;

  provides io.holdfast.lock.spi.LockProvider with
      io.holdfast.lock.etcd.EtcdLockProvider;
}
