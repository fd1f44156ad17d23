/** An application names no backend; those on the module path are found as services. */
module smoke {
  requires io.holdfast.lock;
}
