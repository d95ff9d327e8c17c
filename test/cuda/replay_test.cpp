// Recorded calls of PyTorch with all tensors on a CUDA device.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <structured/cuda/library.h>
#include <structured/dispatch/backend.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "data_file.h"
#include "emulator.h"
#include "replay.h"

namespace {

using namespace structured;

// Names of the operators that have a kernel for CUDA.
std::set<std::string> operators_with_kernels() {
  std::set<std::string> names;
  const auto library = nlohmann::json::parse(std::ifstream(test::data_file(STRUCTURED_CUDA_OPERATORS)));
  for (const auto& imported : library.at("imported")) {
    for (const auto& variant : imported.at("operator").at("variants")) {
      const std::string schema = variant.at("schema");
      names.insert(schema.substr(0, schema.find('(')));
    }
  }
  return names;
}

std::vector<replay::KnownDifference> known_differences() {
  std::vector<replay::KnownDifference> all;
  for (const char* const path : {STRUCTURED_CUDA_KNOWN, STRUCTURED_KNOWN}) {
    std::ifstream lines(test::data_file(path));
    for (auto& each : replay::read_known_differences(lines)) all.push_back(std::move(each));
  }
  return all;
}

TEST(CudaReplay, GivesTheRecordedResults) {
  set_warning_handler([](const char*) {});
  replay::ReplayOptions options;
  options.device = Device(kCUDA);
  options.known = known_differences();
  std::vector<std::string> complaints;
  options.complain = [&](const std::string& text) {
    complaints.push_back(text);
    std::fprintf(stderr, "%s\n", text.c_str());
    if (!emulator::fault().empty()) emulator::clear_fault();
  };
  std::ifstream cases(test::data_file(STRUCTURED_SAMPLE));
  const replay::Report report = replay::replay(cases, options);
  const std::size_t all = report.passed() + report.failed() + report.known();
  std::fprintf(stderr, "%zu of %zu calls passed, %zu are known to differ\n", report.passed(), all, report.known());
  EXPECT_THAT(complaints, testing::IsEmpty());
  EXPECT_GT(all, 4000u);
  EXPECT_GE(static_cast<double>(report.passed()), 0.98 * static_cast<double>(all));

  if (std::getenv("STRUCTURED_CUDA_LIBRARIES") != nullptr && emulator::is_used()) {
    EXPECT_GT(emulator::statistics().products, 0u);
    EXPECT_GT(emulator::statistics().convolutions, 0u);
  }

  const std::set<std::string> with_kernels = operators_with_kernels();
  for (const auto& [name, calls] : cuda::fallback_calls()) {
    std::fprintf(stderr, "fallback: %s %llu\n", name.c_str(), static_cast<unsigned long long>(calls));
    EXPECT_FALSE(with_kernels.contains(name)) << name << " has a kernel, and ran on the CPU";
  }
}

}  // namespace
