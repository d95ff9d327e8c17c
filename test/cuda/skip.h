#pragma once
// Conditions of tests that do not run on every machine with a GPU.
#include <gtest/gtest.h>
#include <structured/cuda/device.h>

#include "emulator.h"

/// Skips the test on a GPU. `reason` says what the emulator is needed for.
#define STRUCTURED_NEED_EMULATOR(reason) \
  if (!emulator::is_used()) GTEST_SKIP() << "runs on the emulator only: " << (reason)

/// Skips the test on a machine with fewer devices.
#define STRUCTURED_NEED_DEVICES(count) \
  if (structured::cuda::device_count() < (count)) GTEST_SKIP() << "needs " << (count) << " devices"
