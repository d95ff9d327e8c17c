#include "cuda/open_library.h"

#include <structured/base/error.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <system_error>

namespace structured::kernels {
namespace {

namespace fs = std::filesystem;

// The folders of STRUCTURED_CUDA_LIBRARIES.
std::vector<fs::path> listed_folders() {
  const char* const given = std::getenv("STRUCTURED_CUDA_LIBRARIES");
  const std::string list = given != nullptr ? given : "";
  std::vector<fs::path> folders;
  for (std::size_t begin = 0; begin < list.size();) {
    const std::size_t end = std::min(list.find(':', begin), list.size());
    if (end != begin) folders.emplace_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return folders;
}

// The library that this function is a part of.
fs::path own_library() {
  Dl_info info{};
  return dladdr(reinterpret_cast<const void*>(&own_library), &info) != 0 ? info.dli_fname : "";
}

}  // namespace

std::vector<fs::path> folders_of_wheels(const fs::path& library) {
  std::vector<fs::path> folders;
  if (!library.is_absolute()) return folders;
  fs::path above = library.parent_path();
  for (int level = 0; level < 4 && folders.empty(); ++level, above = above.parent_path()) {
    std::error_code none;
    for (fs::directory_iterator wheel(above / "nvidia", none), end; !none && wheel != end; wheel.increment(none)) {
      if (fs::path lib = wheel->path() / "lib"; fs::is_directory(lib, none)) folders.push_back(std::move(lib));
      none.clear();
    }
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

void* open_library(const std::string& soname, const char* instead) {
  std::vector<fs::path> folders = listed_folders();
#if defined(STRUCTURED_CUDA_EMULATOR)
  constexpr bool is_emulated = true;
#else
  constexpr bool is_emulated = false;
#endif
  if (!is_emulated) {
    folders.emplace_back("/usr/local/cuda/lib64");
    for (fs::path& folder : folders_of_wheels(own_library())) {
      if (std::error_code none; fs::exists(folder / soname, none)) folders.push_back(std::move(folder));
    }
  }
  std::string reason;
  const auto open = [&](const std::string& path) {
    void* const opened = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (const char* const error = opened == nullptr ? dlerror() : nullptr) reason += std::string("; ") + error;
    return opened;
  };
  for (const fs::path& folder : folders) {
    if (void* const opened = open(folder / soname)) return opened;
  }
  if (!is_emulated) {
    if (void* const opened = open(soname)) return opened;
  }
  if (!reason.empty()) warn("`", soname, "` cannot be opened, ", instead, reason);
  return nullptr;
}

void warn_of_missing_function(const std::string& soname, const char* instead) {
  const char* const reason = dlerror();
  warn("`", soname, "` cannot be used, ", instead, "; ", reason != nullptr ? reason : "a function is missing");
}

}  // namespace structured::kernels
