// Commands, run in memory as the program runs them.
#include <algorithm>
#include <vector>

#include "driver/command.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace structured::gen {
namespace {

using testing::HasSubstr;

struct Finished {
  int status;
  std::string out;
  std::string err;
};

Finished run(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "structured-gen");
  Finished result;
  llvm::raw_string_ostream out(result.out);
  llvm::raw_string_ostream err(result.err);
  err.enable_colors(true);
  result.status = run_command_line(static_cast<int>(arguments.size()), arguments.data(),
                                   {err, &out, arguments.front(), /*colors=*/false});
  return result;
}

TEST(Commands, AreSuggestedForUnknownWords) {
  const Finished found = run({"emitt"});
  EXPECT_EQ(found.status, exit_misuse);
  EXPECT_EQ(found.err, "structured-gen: error: unknown command `emitt`; did you mean `emit`?\n");
}

TEST(Commands, MustBeNamed) { EXPECT_EQ(run({"--"}).status, exit_misuse); }

TEST(Commands, NameTheHelpOfMisusedOptions) {
  const Finished found = run({"emit", "x.fragment.json"});
  EXPECT_EQ(found.status, exit_misuse);
  EXPECT_EQ(found.err, "structured-gen: error: `--output-dir` is missing; see `structured-gen emit --help`\n");
}

TEST(Commands, TakeCompileFlagsOnlyIfTheyParseSources) {
  EXPECT_THAT(run({"list", "x.json", "--", "-Iinclude"}).err, HasSubstr("`list` takes no compile flags; found `--`"));
  EXPECT_THAT(run({"scan", "--", "-Iinclude"}).err, HasSubstr("no sources given"));
}

TEST(Commands, OfOneProcessShareNoOptions) {
  EXPECT_THAT(run({"list", "--format=yaml", "missing.json"}).err, HasSubstr("missing.json"));
  EXPECT_THAT(run({"list", "--format=xml", "missing.json"}).err, HasSubstr("unknown format `xml`"));
  EXPECT_THAT(run({"list", "missing.json"}).err, HasSubstr("missing.json"));
}

TEST(Commands, ColourMessagesOnRequest) {
  EXPECT_THAT(run({"list", "--color", "missing.json"}).err, HasSubstr("\x1b["));
  EXPECT_THAT(run({"list", "--color=false", "missing.json"}).err, HasSubstr("error: cannot read"));
}

TEST(Commands, HaveNamesAndSummaries) {
  std::vector<std::string> names;
  for (const CommandEntry& entry : commands()) {
    names.push_back(entry.name);
    EXPECT_FALSE(llvm::StringRef(entry.summary).ends_with(".")) << entry.name;
  }
  std::vector<std::string> unique = names;
  std::sort(unique.begin(), unique.end());
  EXPECT_EQ(std::unique(unique.begin(), unique.end()), unique.end());
}

}  // namespace
}  // namespace structured::gen
