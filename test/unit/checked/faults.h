#pragma once

namespace faults {

/// Sets the factor by which `uses_thread_state` multiplies on this thread.
void set_thread_factor(double value);

}  // namespace faults
