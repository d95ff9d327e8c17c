#include "scan/known_bodies.h"

#include <algorithm>

namespace structured::gen {
namespace {

std::vector<std::size_t> line_begins(llvm::StringRef text) {
  std::vector<std::size_t> result{0};
  for (std::size_t at = text.find('\n'); at != llvm::StringRef::npos; at = text.find('\n', at + 1)) {
    result.push_back(at + 1);
  }
  return result;
}

/// Calls `move(SourceRange&)` for all places in the facts.
template <typename Move>
void for_each_range(BodyFacts& facts, Move move) {
  auto move_optional = [&](std::optional<SourceRange>& range) {
    if (range) move(*range);
  };
  for (OutputFact& output : facts.outputs) {
    move_optional(output.unset_at);
    if (output.unset_since) move(output.unset_since->range);
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

}  // namespace

KnownBodies::KnownBodies(std::string text, llvm::ArrayRef<Declaration> declarations,
                         llvm::ArrayRef<FunctionExtent> extents)
    : text_(std::move(text)), lines_(line_begins(text_)) {
  for (std::size_t i = 0; i < declarations.size(); ++i) {
    const Declaration& declaration = declarations[i];
    // What macros spell may change with text elsewhere.
    if (extents[i].end == 0 || !declaration.body || !declaration.macro_ranges.empty()) continue;
    bodies_.push_back({extents[i], declaration.range.file, *declaration.body});
  }
  std::sort(bodies_.begin(), bodies_.end(), [](const Body& a, const Body& b) { return a.extent.name < b.extent.name; });
}

void KnownBodies::compare(llvm::StringRef text) {
  std::size_t least = std::min(text.size(), text_.size());
  begin_ = static_cast<std::size_t>(
      std::mismatch(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(least), text.begin()).first -
      text_.begin());
  std::size_t same = 0;
  while (same < least - begin_ && text[text.size() - 1 - same] == text_[text_.size() - 1 - same]) ++same;
  old_end_ = text_.size() - same;
  new_end_ = text.size() - same;
  new_lines_ = line_begins(text);
}

const KnownBodies::Body* KnownBodies::find(unsigned name_offset) const {
  if (name_offset >= begin_ && name_offset < new_end_) return nullptr;
  std::size_t old = name_offset < begin_ ? name_offset : name_offset - new_end_ + old_end_;
  auto found = std::lower_bound(bodies_.begin(), bodies_.end(), old,
                                [](const Body& body, std::size_t offset) { return body.extent.name < offset; });
  if (found == bodies_.end() || found->extent.name != old) return nullptr;
  bool is_untouched = found->extent.end <= begin_ || found->extent.begin >= old_end_;
  return is_untouched ? &*found : nullptr;
}

unsigned KnownBodies::end(unsigned name_offset) const {
  const Body* body = find(name_offset);
  return body ? body->extent.end - body->extent.name + name_offset : 0;
}

Position KnownBodies::moved(const Position& position) const {
  if (position.line == 0 || position.line > lines_.size()) return position;
  std::size_t offset = lines_[position.line - 1] + position.column - 1;
  if (offset < begin_) return position;
  offset = offset - std::min(offset, old_end_) + new_end_;
  auto line = std::upper_bound(new_lines_.begin(), new_lines_.end(), offset) - 1;
  return {static_cast<unsigned>(line - new_lines_.begin() + 1), static_cast<unsigned>(offset - *line + 1)};
}

std::optional<BodyFacts> KnownBodies::facts(unsigned name_offset) const {
  const Body* body = find(name_offset);
  if (!body) return std::nullopt;
  BodyFacts result = body->facts;
  for_each_range(result, [&](SourceRange& range) {
    if (range.file != body->file) return;
    range.begin = moved(range.begin);
    range.end = moved(range.end);
  });
  return result;
}

}  // namespace structured::gen
