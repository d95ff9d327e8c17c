#include "incremental/incremental_reparse.h"

#include <algorithm>
#include <map>
#include <utility>

#include "clang/Basic/CharInfo.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

namespace structured::gen {
namespace {

std::vector<std::size_t> line_begins(llvm::StringRef text) {
  std::vector<std::size_t> result{0};
  for (std::size_t at = text.find('\n'); at != llvm::StringRef::npos; at = text.find('\n', at + 1)) {
    result.push_back(at + 1);
  }
  return result;
}

/// Calls `move(SourceRange&)` for every range in the facts.
template <typename Move>
void for_each_range(BodyFacts& facts, Move move) {
  auto move_optional = [&](std::optional<SourceRange>& range) {
    if (range) move(*range);
  };
  for (OutputFact& output : facts.outputs) {
    move_optional(output.unset_at);
    if (output.unset_branch) move(output.unset_branch->range);
    if (!output.set_twice) continue;
    move(output.set_twice->first);
    move(output.set_twice->second);
  }
  move_optional(facts.others_unset_at);
  for (HandleChange& change : facts.handle_changes) {
    move(change.range);
    move_optional(change.called_at);
  }
  for (Precondition& precondition : facts.preconditions) {
    move(precondition.range);
    move_optional(precondition.called_at);
  }
}

template <typename Move>
void for_each_range(std::vector<Attribute>& attributes, Move move) {
  for (Attribute& attribute : attributes) {
    move(attribute.range);
    for (AttributeArgument& argument : attribute.arguments) move(argument.range);
  }
}

/// Calls `move(SourceRange&)` for every range of a declaration that no macro spells.
template <typename Move>
void for_each_range(Declaration& declaration, Move move) {
  for (SourceRange* range :
       {&declaration.range, &declaration.name_range, &declaration.result_range, &declaration.parameters_range}) {
    move(*range);
  }
  for_each_range(declaration.attributes, move);
  for (Parameter& parameter : declaration.parameters) {
    for (SourceRange* range : {&parameter.range, &parameter.type_range, &parameter.name_range}) move(*range);
    for_each_range(parameter.attributes, move);
    if (parameter.default_argument) move(parameter.default_argument->range);
  }
  if (declaration.base_class) move(declaration.base_class->range);
  if (declaration.result_class) move(declaration.result_class->range);
  if (declaration.body) for_each_range(*declaration.body, move);
}

/// Calls `see(name, offset)` for all identifiers in the text, including those in comments and strings.
template <typename See>
void for_each_name(llvm::StringRef text, See see) {
  for (std::size_t at = 0; at < text.size();) {
    std::size_t begin = at;
    while (at < text.size() && clang::isAsciiIdentifierContinue(text[at])) ++at;
    if (at > begin) see(text.slice(begin, at), begin);
    while (at < text.size() && !clang::isAsciiIdentifierContinue(text[at])) ++at;
  }
}

/// Calls `see(name, qualifier)` for all identifiers outside comments and strings; `b::c` gives `c` and `b`.
template <typename See>
void for_each_token(const std::string& text, See see) {
  clang::LangOptions language;
  language.CPlusPlus = language.CPlusPlus11 = language.CPlusPlus14 = true;  // raw strings, and `'` in numbers
  clang::Lexer lexer(clang::SourceLocation(), language, text.data(), text.data(), text.data() + text.size());
  llvm::StringRef name;
  llvm::StringRef qualifier;
  clang::Token token;
  for (bool is_last = false; !is_last;) {
    is_last = lexer.LexFromRawLexer(token);
    if (token.is(clang::tok::coloncolon)) {
      qualifier = std::exchange(name, {});
      continue;
    }
    name = token.is(clang::tok::raw_identifier) ? token.getRawIdentifier() : llvm::StringRef();
    if (!name.empty()) see(name, qualifier);
    qualifier = {};
  }
}

bool has_directive(llvm::StringRef text) {
  for (std::size_t at = text.find('#'); at != llvm::StringRef::npos; at = text.find('#', at + 1)) {
    if (text.take_front(at).rsplit('\n').second.trim().empty()) return true;
  }
  return false;
}

}  // namespace

IncrementalReparse::IncrementalReparse(std::string text, llvm::ArrayRef<Declaration> declarations,
                                       llvm::ArrayRef<FunctionExtent> extents)
    : text_(std::move(text)), lines_(line_begins(text_)) {
  for (std::size_t i = 0; i < declarations.size(); ++i) {
    const Declaration& declaration = declarations[i];
    // Text spelled by a macro may change with its definition elsewhere.
    if (extents[i].end == 0 || !declaration.body || !declaration.macro_ranges.empty()) continue;
    Function function;
    function.extent = extents[i];
    function.declaration = declaration;
    const Position& begin = declaration.range.begin;
    if (begin.line > 0 && begin.line <= lines_.size()) {
      std::size_t first = lines_[begin.line - 1] + begin.column - 1;
      if (first <= function.extent.begin) function.extent.begin = static_cast<unsigned>(first);
    }
    llvm::StringRef whole = llvm::StringRef(text_).slice(function.extent.begin, function.extent.end);
    function.name = llvm::StringRef(text_)
                        .drop_front(function.extent.name)
                        .take_while([](char c) { return clang::isAsciiIdentifierContinue(c); })
                        .str();
    function.stands_alone = declaration.is_definition && declaration.linkage_errors.empty() &&
                            !extents[i].is_named_elsewhere && !function.name.empty() && whole.starts_with("[[") &&
                            whole.ends_with("}") && !has_directive(whole) && is_complete_before(function.extent.begin);
    functions_.push_back(std::move(function));
  }
  std::sort(functions_.begin(), functions_.end(),
            [](const Function& a, const Function& b) { return a.extent.name < b.extent.name; });
  find_users();
  for (Function& function : functions_) {
    // A function whose name is not found in the text is spelled by a macro.
    if (function.extent.is_named_elsewhere && !function.is_found_in_use) function.stands_alone = false;
  }
}

/// Whether a declaration may begin here: only comments separate it from the previous one.
bool IncrementalReparse::is_complete_before(std::size_t offset) const {
  llvm::StringRef before = llvm::StringRef(text_).take_front(offset);
  while (true) {
    before = before.rtrim();
    if (before.empty()) return true;
    if (before.ends_with("*/")) {
      before = before.take_front(before.rfind("/*"));
      continue;
    }
    std::size_t line_begin = before.rfind('\n') + 1;  // 0 if there is none
    llvm::StringRef line = before.drop_front(line_begin).ltrim();
    if (line.starts_with("#")) return true;
    if (!line.starts_with("//")) break;
    before = before.take_front(line_begin);
  }
  std::size_t comment = before.rfind("//");
  if (comment != llvm::StringRef::npos && before.find('\n', comment) == llvm::StringRef::npos) {
    before = before.take_front(comment).rtrim();  // trailing comment, e.g. of a namespace
  }
  return before.ends_with(";") || before.ends_with("}") || before.ends_with("{");
}

/// Matches by name, since Clang does not resolve calls with arguments of unknown types. A name qualified by a namespace
/// other than the function's does not match.
void IncrementalReparse::find_users() {
  std::multimap<llvm::StringRef, Function*> by_name;
  llvm::DenseSet<std::size_t> definitions;
  for (Function& function : functions_) {
    by_name.emplace(function.name, &function);
    definitions.insert(function.extent.name);
  }
  for_each_token(text_, [&](llvm::StringRef name, llvm::StringRef qualifier) {
    auto [begin, end] = by_name.equal_range(name);
    auto offset = static_cast<std::size_t>(name.data() - text_.data());
    if (begin == end || definitions.contains(offset)) return;
    auto around = llvm::partition_point(functions_, [&](const Function& each) { return each.extent.end <= offset; });
    bool is_inside = around != functions_.end() && offset >= around->extent.begin;
    for (; begin != end; ++begin) {
      Function& named = *begin->second;
      llvm::StringRef place = llvm::StringRef(named.declaration.name).rsplit("::").first.rsplit("::").second;
      if (!qualifier.empty() && !place.empty() && qualifier != place) continue;
      if (is_inside) {
        around->named.push_back(static_cast<std::size_t>(&named - functions_.data()));
      } else {
        named.is_needed = true;
      }
      named.is_found_in_use = true;
    }
  });
}

/// Omits functions that are unchanged and that no remaining function names.
void IncrementalReparse::choose_left_out() {
  std::vector<std::size_t> staying;
  for (std::size_t i = 0; i < functions_.size(); ++i) {
    Function& function = functions_[i];
    function.is_left_out = function.stands_alone && !function.is_needed && is_untouched(function) &&
                           !std::binary_search(new_names_.begin(), new_names_.end(), function.name);
    if (!function.is_left_out) staying.push_back(i);
  }
  while (!staying.empty()) {
    const Function& user = functions_[staying.back()];
    staying.pop_back();
    for (std::size_t named : user.named) {
      if (std::exchange(functions_[named].is_left_out, false)) staying.push_back(named);
    }
  }
}

void IncrementalReparse::compare(std::string text) {
  new_text_ = std::move(text);
  std::size_t least = std::min(new_text_.size(), text_.size());
  begin_ = static_cast<std::size_t>(
      std::mismatch(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(least), new_text_.begin()).first -
      text_.begin());
  std::size_t same = 0;
  while (same < least - begin_ && new_text_[new_text_.size() - 1 - same] == text_[text_.size() - 1 - same]) ++same;
  old_end_ = text_.size() - same;
  new_end_ = new_text_.size() - same;
  new_lines_ = line_begins(new_text_);
  // Extends the changed range to whole identifiers.
  std::size_t first = begin_;
  std::size_t last = new_end_;
  while (first > 0 && clang::isAsciiIdentifierContinue(new_text_[first - 1])) --first;
  while (last < new_text_.size() && clang::isAsciiIdentifierContinue(new_text_[last])) ++last;
  new_names_.clear();
  for_each_name(llvm::StringRef(new_text_).slice(first, last),
                [&](llvm::StringRef name, std::size_t) { new_names_.push_back(name.str()); });
  llvm::sort(new_names_);
  choose_left_out();
}

bool IncrementalReparse::is_untouched(const Function& function) const {
  return function.extent.end <= begin_ || function.extent.begin >= old_end_;
}

std::string IncrementalReparse::remaining_text() const {
  std::string result = new_text_;
  for (const Function& function : functions_) {
    if (!function.is_left_out) continue;
    std::size_t begin = moved(function.extent.begin);
    std::size_t end = begin + function.extent.end - function.extent.begin;
    for (std::size_t i = begin; i < end; ++i) {
      if (result[i] != '\n' && result[i] != '\r') result[i] = ' ';
    }
    result[begin] = ';';  // keeps its comment from documenting the next function
  }
  return result;
}

void IncrementalReparse::add_others(std::vector<Declaration>& declarations,
                                    llvm::ArrayRef<FunctionExtent> extents) const {
  std::vector<Declaration> all;
  auto next = functions_.begin();
  auto add_until = [&](std::size_t offset) {
    for (; next != functions_.end() && moved(next->extent.name) < offset; ++next) {
      if (!next->is_left_out) continue;
      Declaration& added = all.emplace_back(next->declaration);
      for_each_range(added, [&](SourceRange& range) { move(range, next->declaration.range.file); });
    }
  };
  for (std::size_t i = 0; i < declarations.size(); ++i) {
    if (i < extents.size()) add_until(extents[i].name);
    all.push_back(std::move(declarations[i]));
  }
  add_until(new_text_.size());
  declarations = std::move(all);
}

const IncrementalReparse::Function* IncrementalReparse::find(unsigned name_offset) const {
  if (name_offset >= begin_ && name_offset < new_end_) return nullptr;
  std::size_t old = name_offset < begin_ ? name_offset : name_offset - new_end_ + old_end_;
  auto found = std::lower_bound(functions_.begin(), functions_.end(), old,
                                [](const Function& function, std::size_t at) { return function.extent.name < at; });
  if (found == functions_.end() || found->extent.name != old) return nullptr;
  return is_untouched(*found) ? &*found : nullptr;
}

Position IncrementalReparse::moved(const Position& position) const {
  if (position.line == 0 || position.line > lines_.size()) return position;
  std::size_t offset = lines_[position.line - 1] + position.column - 1;
  if (offset < begin_) return position;
  offset = moved(std::max(offset, old_end_));
  auto line = std::upper_bound(new_lines_.begin(), new_lines_.end(), offset) - 1;
  return {static_cast<unsigned>(line - new_lines_.begin() + 1), static_cast<unsigned>(offset - *line + 1)};
}

void IncrementalReparse::move(SourceRange& range, const std::string& file) const {
  if (range.file != file) return;
  range.begin = moved(range.begin);
  range.end = moved(range.end);
}

std::optional<BodyFacts> IncrementalReparse::facts(unsigned name_offset) const {
  const Function* function = find(name_offset);
  if (!function) return std::nullopt;
  BodyFacts result = *function->declaration.body;
  for_each_range(result, [&](SourceRange& range) { move(range, function->declaration.range.file); });
  return result;
}

}  // namespace structured::gen
