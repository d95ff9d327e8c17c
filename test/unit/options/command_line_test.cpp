#include "command_line.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

namespace structured {
namespace {

/// A program with an option of each kind.
struct Program {
  std::ostringstream out;
  std::ostringstream err;
  bool list = false;
  std::string file;
  std::optional<double> tolerance;
  std::vector<std::string> known;
  std::string model;

  std::optional<int> parse(std::vector<const char*> arguments) {
    CommandLine options("program", "usage: program MODEL\n", out, err);
    options.version("program 1.0");
    options.flag("--list", list);
    options.value("--file", "a file", file);
    options.number("--tolerance", "a number of 0 or more", 0, 1e9, tolerance);
    options.value("--known", "a name", [this](const std::string& text) {
      known.push_back(text);
      return !text.empty();
    });
    options.input("a model", model);
    arguments.insert(arguments.begin(), "program");
    return options.parse(static_cast<int>(arguments.size()), arguments.data());
  }

  std::string misuse(std::vector<const char*> arguments) {
    err.str("");
    EXPECT_EQ(parse(std::move(arguments)), 2);
    return err.str();
  }
};

TEST(CommandLine, SetsValuesInBothForms) {
  Program program;
  EXPECT_EQ(program.parse({"--file", "a=b", "m.pt2", "--tolerance=1e-3", "--list"}), std::nullopt);
  EXPECT_TRUE(program.list);
  EXPECT_EQ(program.file, "a=b");
  EXPECT_EQ(program.tolerance, 1e-3);
  EXPECT_EQ(program.model, "m.pt2");
  EXPECT_EQ(program.err.str(), "");
}

TEST(CommandLine, RepeatsValues) {
  Program program;
  EXPECT_EQ(program.parse({"m", "--known=a", "--known", "b"}), std::nullopt);
  EXPECT_EQ(program.known, (std::vector<std::string>{"a", "b"}));
}

TEST(CommandLine, PrintsHelpAndVersion) {
  Program program;
  EXPECT_EQ(program.parse({"--list", "--help"}), 0);
  EXPECT_EQ(program.parse({"-h"}), 0);
  EXPECT_EQ(program.parse({"--version"}), 0);
  EXPECT_EQ(program.out.str(), "usage: program MODEL\nusage: program MODEL\nprogram 1.0\n");
}

TEST(CommandLine, SaysWhatWasExpected) {
  Program program;
  const std::string end = "; see `program --help`\n";
  EXPECT_EQ(program.misuse({}), "program: error: expected a model" + end);
  EXPECT_EQ(program.misuse({"m", "--file"}), "program: error: expected a file after `--file`" + end);
  EXPECT_EQ(program.misuse({"m", "--tolerance", "-1"}),
            "program: error: expected a number of 0 or more after `--tolerance`, got `-1`" + end);
  EXPECT_EQ(program.misuse({"m", "--tolerance=1x"}),
            "program: error: expected a number of 0 or more after `--tolerance`, got `1x`" + end);
  EXPECT_EQ(program.misuse({"m", "--known="}), "program: error: expected a name after `--known`, got ``" + end);
  EXPECT_EQ(program.misuse({"m", "--list=yes"}), "program: error: expected no value after `--list`" + end);
}

TEST(CommandLine, RefusesWhatItDoesNotKnow) {
  Program program;
  const std::string end = "; see `program --help`\n";
  EXPECT_EQ(program.misuse({"m", "--what"}), "program: error: unknown argument `--what`" + end);
  EXPECT_EQ(program.misuse({"m", "--what=1"}), "program: error: unknown argument `--what=1`" + end);
  EXPECT_EQ(program.misuse({"m", "other"}), "program: error: unknown argument `other`" + end);
  EXPECT_EQ(program.misuse({"-x", "m"}), "program: error: unknown argument `-x`" + end);
}

}  // namespace
}  // namespace structured
