#include "scan/declaration_flags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace structured::gen {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(DeclarationFlags, AreMacrosAndPathsAndForcedIncludes) {
  EXPECT_THAT(declaration_flags("-O2\n-DA\n-Wall\n-Idir with blanks\n-isystem\n/s\n-march=native\n-std=c++23\n-UB\n"),
              ElementsAre("-DA", "-Idir with blanks", "-isystem", "/s", "-march=native", "-std=c++23", "-UB"));
  EXPECT_THAT(declaration_flags("-mavx2\n-fopenmp\n-mllvm\n-x\n-munknown-to-clang\n-fopenmp-simd\n-MD\n"),
              ElementsAre("-mavx2", "-fopenmp"));
  EXPECT_THAT(declaration_flags("-include\na.h\n-include-pch\nb.pch\n-imacros\nm.h\n-iquote.\n"),
              ElementsAre("-include", "a.h", "-imacros", "m.h", "-iquote."));
  EXPECT_THAT(declaration_flags("--define-macro=A=1\n--include-path=x\n--expt-relaxed-constexpr\n"),
              ElementsAre("--define-macro=A=1", "--include-path=x"));
}

TEST(DeclarationFlags, SelectTheMachineAndItsHeaders) {
  EXPECT_THAT(declaration_flags("--target=aarch64-linux-gnu\n-march=armv8.2-a\n--sysroot=/s\n-O2\n-stdlib=libc++\n"),
              ElementsAre("--target=aarch64-linux-gnu", "-march=armv8.2-a", "--sysroot=/s", "-stdlib=libc++"));
  EXPECT_THAT(declaration_flags("SHELL:-target armv7-linux-gnueabihf -mfpu=neon -mfloat-abi=hard --sysroot /s -g"),
              ElementsAre("-target", "armv7-linux-gnueabihf", "-mfpu=neon", "-mfloat-abi=hard", "--sysroot", "/s"));
  EXPECT_THAT(declaration_flags("-funsigned-char\n-fno-short-enums\n-funroll-loops\n-nostdinc++\n-nostdlib\n-pthread"),
              ElementsAre("-funsigned-char", "-fno-short-enums", "-nostdinc++", "-pthread"));
  EXPECT_THAT(declaration_flags("SHELL:-Xclang -target-feature -Xclang +sve"), IsEmpty());
}

TEST(DeclarationFlags, OfALineForTheShellAreSplitAsThere) {
  EXPECT_THAT(declaration_flags("SHELL:-D 'A=\"x y\"' -O3 -I\"b c\"\r\n-DSHELL:\n"),
              ElementsAre("-D", "A=\"x y\"", "-Ib c", "-DSHELL:"));
}

TEST(DeclarationFlags, AreReadFromAnyText) {
  EXPECT_THAT(declaration_flags(""), IsEmpty());
  EXPECT_THAT(declaration_flags("\n\r\n \n"), IsEmpty());
  EXPECT_THAT(declaration_flags("-D"), ElementsAre("-D"));  // Clang reports the missing argument
  EXPECT_THAT(declaration_flags("SHELL:"), IsEmpty());
  EXPECT_THAT(declaration_flags("SHELL:-D 'A"), ElementsAre("-D", "A"));
  EXPECT_THAT(declaration_flags("SHELL:-I\\"), ElementsAre("-I\\"));
  EXPECT_THAT(declaration_flags(llvm::StringRef("-D\0A\n\xff", 6)), ElementsAre("-D", "\xff"));
}

}  // namespace
}  // namespace structured::gen
