/** An application does not name a backend; those on the module path are found as services. */
module smoke {
  requires io.holdfast.lock;
}
