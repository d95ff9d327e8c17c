// The controls of the emulator, for tests that run on a GPU.
#include <structured/base/error.h>
#include <structured/cuda/device.h>

#include "emulator.h"

namespace emulator {

bool is_used() { return false; }
void set_late_streams(bool, unsigned) {}
Statistics statistics() { return {}; }
void set_device_count(int) {}
void set_reuses_addresses(bool) {}
void clear_fault() {}

std::string fault() {
  try {
    structured::cuda::synchronize();
  } catch (const structured::Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace emulator
