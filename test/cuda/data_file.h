#pragma once
// Files that tests read: those of the source and build folders, or their copies in a pack (test/cuda/pack).
#include <cstdlib>
#include <filesystem>
#include <string>

namespace structured::test {

/// Returns `path`, or in the folder that STRUCTURED_TEST_DATA names the file with the same name in a folder with the
/// same name.
inline std::string data_file(const std::filesystem::path& path) {
  const char* const folder = std::getenv("STRUCTURED_TEST_DATA");
  return folder == nullptr ? path : std::filesystem::path(folder) / path.parent_path().filename() / path.filename();
}

}  // namespace structured::test
