// Stands in for the reader of `.ptl` modules in builds without STRUCTURED_BUILD_PTL.
#include "structured/base/error.h"
#include "structured/program/ptl.h"
#include "structured/program/ptl_flatbuffer.h"

namespace structured::program {
namespace {

[[noreturn]] void fail(const std::string& name) {
  STRUCTURED_CHECK(
      false, name,
      ": this build of Structured reads no modules of PyTorch's lite interpreter; expected a saved program "
      "(`.pt2`), or a build with STRUCTURED_BUILD_PTL=ON");
  __builtin_unreachable();
}

}  // namespace

std::string ptl_root(const detail::ZipArchive& archive) {
  for (const detail::ZipArchive::Member& member : archive.members()) {
    const std::size_t slash = member.name.find('/');
    if (slash != std::string_view::npos && member.name.substr(slash + 1) == "bytecode.pkl") {
      return std::string(member.name.substr(0, slash + 1));
    }
  }
  return {};
}

BytecodeProgram read_ptl(const detail::ZipArchive& archive, const std::shared_ptr<detail::FileBytes>&,
                         const OperatorLookups&) {
  fail(archive.name());
}

BytecodeProgram read_ptl_flatbuffer(const std::shared_ptr<detail::FileBytes>&, const std::string& name,
                                    const OperatorLookups&) {
  fail(name);
}

}  // namespace structured::program
