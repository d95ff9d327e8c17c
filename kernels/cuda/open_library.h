#pragma once
// Libraries of NVIDIA's that are opened when they are first needed.
#include <dlfcn.h>

#include <filesystem>
#include <string>
#include <vector>

namespace structured::kernels {

/// Returns the folders of NVIDIA's wheels beside the package of Python that `library` is a part of: nvidia/NAME/lib in
/// the first of the four folders above it that has any.
std::vector<std::filesystem::path> folders_of_wheels(const std::filesystem::path& library);

/// Opens a library by its soname: from the folders that the environment variable STRUCTURED_CUDA_LIBRARIES lists,
/// separated by colons, from that of the toolkit, from NVIDIA's wheels beside our own package, or where the dynamic
/// linker finds it. Returns null if none can be opened, with a warning that names the library, the dynamic linker's
/// reason and `instead`, which takes its place. Call it once for each library. The emulator of the tests has no use for
/// NVIDIA's libraries: with it, only the listed folders count.
void* open_library(const std::string& soname, const char* instead);

/// Sets `function` to that of an open library. Returns false if there is none.
template <class Function>
bool find_function(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

/// Warns that a library, in which find_function has just failed, cannot be used.
void warn_of_missing_function(const std::string& soname, const char* instead);

/// Opens a library as open_library does. Returns pointers to its functions, which `find` fills in by find_function and
/// which are all null if the library cannot be opened or lacks one of them. `find` returns false at the first that is
/// missing; a warning names it.
template <class Functions, class Find>
Functions open_functions(const std::string& soname, const char* instead, const Find& find) {
  Functions found;
  void* const library = open_library(soname, instead);
  if (library == nullptr || find(library, found)) return found;
  warn_of_missing_function(soname, instead);
  return Functions();
}

}  // namespace structured::kernels
