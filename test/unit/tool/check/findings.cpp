#include "findings.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "dialect/dialect.h"
#include "dialect/type_tables.h"

namespace structured::gen::test {
namespace {

std::size_t offset(llvm::StringRef text, const Position& position) {
  std::size_t line_start = 0;
  for (unsigned line = 1; line < position.line; ++line) line_start = text.find('\n', line_start) + 1;
  return line_start + position.column - 1;
}

llvm::StringRef underlined(const SourceRange& range, const std::vector<CheckedSource>& sources) {
  for (const CheckedSource& source : sources) {
    if (source.name != range.file) continue;
    llvm::StringRef text = source.text;
    return text.slice(offset(text, range.begin), offset(text, range.end));
  }
  return "";
}

std::string place(const SourceRange& range, const std::vector<CheckedSource>& sources) {
  if (!range.valid()) return "nowhere";
  bool is_first = range.file == sources.front().name;
  std::string where = (is_first ? "" : range.file + ":") + std::to_string(range.begin.line);
  bool is_insertion = range.begin == range.end;
  if (is_insertion) return where + ":" + std::to_string(range.begin.column);
  return where + " `" + underlined(range, sources).str() + "`";
}

std::string describe(const Diagnostic& diagnostic, const std::vector<CheckedSource>& sources) {
  llvm::StringRef kind = name_of(diagnostic.kind);
  EXPECT_TRUE(kind.consume_front("structured-"));
  std::string text = kind.str() + " at " + place(diagnostic.range, sources) + ": " + diagnostic.message + "\n";
  for (const Note& note : diagnostic.notes) {
    text += "  note at " + place(note.range, sources) + ": " + note.message + "\n";
  }
  for (const FixIt& fixit : diagnostic.fixits) {
    text += "  edit at " + place(fixit.range, sources) + " to `" + fixit.text + "`\n";
  }
  return text;
}

ReadOptions options() {
  ClassFact plan = base_class("kernels::Plan", {});
  plan.members = {{"dim", {"long", "int64_t"}}, {"blocks", {"long", "int64_t"}}};
  ClassFact hidden_plan = base_class("kernels::HiddenPlan", {});
  ClassFact hidden_base = base_class("kernels::HiddenBase", {"structured::MetaBase"});
  hidden_plan.is_visible_from_header = hidden_base.is_visible_from_header = false;
  ClassFact final_base = base_class("kernels::FinalBase", {"structured::MetaBase"});
  final_base.is_final = true;
  ClassFact abstract_base = base_class("kernels::AbstractBase", {"structured::MetaBase"});
  abstract_base.is_abstract = true;
  ClassFact argument_base = base_class("kernels::ArgumentBase", {"structured::MetaBase"});
  argument_base.is_default_constructible = false;
  ReadOptions options;
  options.classes = {{"Plan", plan},
                     {"HiddenPlan", hidden_plan},
                     {"HiddenBase", hidden_base},
                     {"FinalBase", final_base},
                     {"AbstractBase", abstract_base},
                     {"ArgumentBase", argument_base}};
  return options;
}

std::vector<Diagnostic> run(const std::vector<CheckedSource>& sources, const CheckOptions& check_options) {
  std::vector<Fragment> fragments;
  for (const CheckedSource& source : sources) fragments.push_back(read_fragment(source.name, source.text, options()));
  return check(fragments, native_types(), check_options);
}

std::vector<Diagnostic> run(const std::vector<CheckedSource>& sources, bool whole_library) {
  CheckOptions check_options;
  check_options.whole_library = whole_library;
  check_options.cpp_namespace = "structured";
  check_options.cpp_types = find_dialect("native")->cpp_types();
  return run(sources, check_options);
}

std::vector<CheckedSource> single(llvm::StringRef text) {
  text.consume_front("\n");
  return {{"a.h", text.str()}};
}

}  // namespace

std::string findings(const std::vector<CheckedSource>& sources, bool whole_library) {
  std::string text;
  for (const Diagnostic& diagnostic : run(sources, whole_library)) text += describe(diagnostic, sources);
  return text;
}

std::string findings(const std::vector<CheckedSource>& sources, const CheckOptions& options,
                     const std::vector<CheckedSource>& others) {
  std::vector<CheckedSource> all = sources;
  all.insert(all.end(), others.begin(), others.end());
  std::string text;
  for (const Diagnostic& diagnostic : run(sources, options)) text += describe(diagnostic, all);
  return text;
}

std::string findings(llvm::StringRef text, bool whole_library) { return findings(single(text), whole_library); }

void expect_findings(llvm::StringRef text, llvm::StringRef expected) {
  expected.consume_front("\n");
  EXPECT_EQ(findings(text), expected.str());
}

void expect_silence(llvm::StringRef text) { EXPECT_EQ(findings(text), ""); }

std::string mended(llvm::StringRef text) {
  std::vector<CheckedSource> sources = single(text);
  std::vector<FixIt> edits;
  for (const Diagnostic& diagnostic : run(sources, true)) {
    edits.insert(edits.end(), diagnostic.fixits.begin(), diagnostic.fixits.end());
  }
  std::sort(edits.begin(), edits.end(), [](const FixIt& a, const FixIt& b) { return b.range < a.range; });
  edits.erase(std::unique(edits.begin(), edits.end()), edits.end());  // diagnostics may share an edit
  std::string result = sources.front().text;
  for (const FixIt& edit : edits) {
    std::size_t begin = offset(sources.front().text, edit.range.begin);
    result.replace(begin, offset(sources.front().text, edit.range.end) - begin, edit.text);
  }
  return result;
}

void expect_mended(llvm::StringRef text, llvm::StringRef expected) {
  expected.consume_front("\n");
  std::string result = mended(text);
  EXPECT_EQ(result, expected.str());
  EXPECT_EQ(findings(result), "");
}

}  // namespace structured::gen::test
