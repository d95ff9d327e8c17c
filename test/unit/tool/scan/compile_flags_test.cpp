#include "scan/compile_flags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace structured::gen {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(CompileFlags, PreferALaterToolchainToAnInstallation) {
  // Clang prefers --gcc-install-dir wherever it is.
  EXPECT_THAT(scan_flags({"--gcc-install-dir=/a", "-O2", "--gcc-toolchain=/b"}, false),
              ElementsAre("-O2", "--gcc-toolchain=/b"));
  EXPECT_THAT(scan_flags({"--gcc-install-dir=/a", "-gcc-toolchain", "/b"}, false), ElementsAre("-gcc-toolchain", "/b"));
  EXPECT_THAT(scan_flags({"--gcc-toolchain=/b", "--gcc-install-dir=/a"}, false),
              ElementsAre("--gcc-toolchain=/b", "--gcc-install-dir=/a"));
  EXPECT_THAT(scan_flags({"--gcc-install-dir=/a", "--gcc-toolchain=/b", "--gcc-install-dir=/c"}, false),
              ElementsAre("--gcc-toolchain=/b", "--gcc-install-dir=/c"));
  EXPECT_THAT(scan_flags({"--gcc-install-dir=/a"}, false), ElementsAre("--gcc-install-dir=/a"));
}

TEST(CompileFlags, OfModulesAreDropped) {
  EXPECT_THAT(
      scan_flags({"-fmodules", "-fmodules-ts", "-fmodule-mapper=m", "-fmodule-file=std=std.pcm", "-fmodule-output=x",
                  "-fprebuilt-module-path=p", "-fdeps-format=p1689r5", "@CMakeFiles/x.dir/a.cpp.o.modmap"},
                 false),
      IsEmpty());
  EXPECT_THAT(scan_flags({"@flags.rsp", "-fno-rtti"}, false), ElementsAre("@flags.rsp", "-fno-rtti"));
}

TEST(CompileFlags, AfterXclangAreKeptAsTheyAre) {
  EXPECT_THAT(
      scan_flags({"-Xclang", "-load", "-Xclang", "p.so", "-c", "-Xclang", "-plugin-arg-p", "-Xclang", "x=y"}, true),
      ElementsAre("-Xclang", "-load", "-Xclang", "p.so", "-Xclang", "-plugin-arg-p", "-Xclang", "x=y"));
}

}  // namespace
}  // namespace structured::gen
