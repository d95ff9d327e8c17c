// Takes up thread-local memory of the initial-exec TLS model, which is scarce in libraries that are opened late.
extern "C" char* thread_local_memory() {
  static __attribute__((tls_model("initial-exec"))) __thread char memory[STRUCTURED_TLS_BYTES];
  return memory;
}
