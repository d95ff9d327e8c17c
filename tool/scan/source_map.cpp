#include "scan/source_map.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "scan/raw_tokens.h"

namespace structured::gen {
namespace {

bool is_qualifier(const clang::Token& token) {
  return token.is(clang::tok::raw_identifier) &&
         (token.getRawIdentifier() == "const" || token.getRawIdentifier() == "volatile");
}

}  // namespace

/// Returns the expansion of the macro that spells `location`, or the token itself outside of macros.
clang::CharSourceRange SourceMap::expansion(clang::SourceLocation location) const {
  clang::CharSourceRange range = sources_.getExpansionRange(location);
  clang::SourceLocation end = range.getEnd();
  if (range.isTokenRange()) end = end.getLocWithOffset(clang::Lexer::MeasureTokenLength(end, sources_, language_));
  return clang::CharSourceRange::getCharRange(range.getBegin(), end);
}

clang::CharSourceRange SourceMap::in_file(clang::SourceRange range) const {
  return in_file(clang::CharSourceRange::getTokenRange(range));
}

clang::CharSourceRange SourceMap::in_file(clang::CharSourceRange range) const {
  if (range.isInvalid()) return {};
  for (clang::SourceLocation location : {range.getBegin(), range.getEnd()}) {
    if (location.isMacroID()) macro_ranges_.push_back(expansion(location));
  }
  clang::SourceLocation begin = sources_.getExpansionLoc(range.getBegin());
  clang::SourceLocation end =
      range.isTokenRange() ? expansion(range.getEnd()).getEnd() : sources_.getExpansionLoc(range.getEnd());
  auto [begin_file, begin_offset] = sources_.getDecomposedLoc(begin);
  auto [end_file, end_offset] = sources_.getDecomposedLoc(end);
  if (begin_file != end_file || end_offset < begin_offset) end = begin;
  return clang::CharSourceRange::getCharRange(begin, end);
}

SourceRange SourceMap::place(clang::CharSourceRange range) const {
  if (range.isInvalid()) return {};
  auto [file, begin] = sources_.getDecomposedLoc(range.getBegin());
  unsigned end = sources_.getDecomposedLoc(range.getEnd()).second;
  return {path(file), position(file, begin), position(file, end)};
}

Position SourceMap::position(clang::FileID file, unsigned offset) const {
  return {sources_.getLineNumber(file, offset), sources_.getColumnNumber(file, offset)};
}

std::vector<SourceRange> SourceMap::take_macro_ranges() const {
  std::vector<SourceRange> result;
  for (clang::CharSourceRange range : macro_ranges_) result.push_back(place(range));
  macro_ranges_.clear();
  llvm::sort(result);
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

llvm::StringRef SourceMap::raw_text(clang::CharSourceRange range) const {
  if (range.isInvalid()) return {};
  auto [file, begin] = sources_.getDecomposedLoc(range.getBegin());
  unsigned end = sources_.getDecomposedLoc(range.getEnd()).second;
  bool invalid = false;
  llvm::StringRef buffer = sources_.getBufferData(file, &invalid);
  return invalid ? llvm::StringRef() : buffer.slice(begin, end);
}

std::string SourceMap::text(clang::CharSourceRange range) const {
  llvm::StringRef raw = raw_text(range);
  return llvm::json::isUTF8(raw) ? raw.str() : llvm::json::fixUTF8(raw);
}

clang::SourceLocation SourceMap::attribute_list_begin(clang::SourceLocation inside) const {
  auto [file, offset] = sources_.getDecomposedLoc(sources_.getExpansionLoc(inside));
  clang::SourceLocation file_start = sources_.getLocForStartOfFile(file);
  llvm::StringRef text = sources_.getBufferData(file).take_front(offset);
  std::size_t found = text.rfind("[[");
  return found == llvm::StringRef::npos ? file_start.getLocWithOffset(offset) : file_start.getLocWithOffset(found);
}

clang::SourceLocation SourceMap::attribute_list_end(clang::SourceLocation inside) const {
  auto [file, offset] = sources_.getDecomposedLoc(sources_.getExpansionLoc(inside));
  clang::SourceLocation file_start = sources_.getLocForStartOfFile(file);
  std::size_t found = sources_.getBufferData(file).find("]]", offset);
  return file_start.getLocWithOffset(found == llvm::StringRef::npos ? offset : found + 2);
}

clang::CharSourceRange SourceMap::trimmed(clang::SourceLocation begin, clang::SourceLocation end) const {
  auto [file, begin_offset] = sources_.getDecomposedLoc(begin);
  auto [end_file, end_offset] = sources_.getDecomposedLoc(end);
  if (file != end_file) return clang::CharSourceRange::getCharRange(begin, begin);
  clang::SourceLocation file_start = sources_.getLocForStartOfFile(file);
  unsigned last = begin_offset;
  for_each_token(sources_.getBufferData(file), begin_offset, end_offset, file_start, language_,
                 [&](const clang::Token& token, unsigned offset) {
                   last = offset + token.getLength();
                   return true;
                 });
  return clang::CharSourceRange::getCharRange(begin, file_start.getLocWithOffset(std::min(last, end_offset)));
}

clang::CharSourceRange SourceMap::with_qualifiers(clang::CharSourceRange range, clang::SourceLocation limit) const {
  auto [file, begin] = sources_.getDecomposedLoc(range.getBegin());
  auto [limit_file, limit_offset] = sources_.getDecomposedLoc(sources_.getExpansionLoc(limit));
  unsigned end = sources_.getDecomposedLoc(range.getEnd()).second;
  clang::SourceLocation file_start = sources_.getLocForStartOfFile(file);
  llvm::StringRef text = sources_.getBufferData(file);
  if (limit_file == file && limit_offset < begin) {
    unsigned run = begin;  // start of the current run of qualifiers
    bool in_run = false;
    for_each_token(text, limit_offset, begin, file_start, language_, [&](const clang::Token& token, unsigned offset) {
      if (is_qualifier(token) && !in_run) run = offset;
      in_run = is_qualifier(token);
      return true;
    });
    if (in_run) begin = run;
  }
  unsigned new_end = end;
  for_each_token(text, end, text.size(), file_start, language_, [&](const clang::Token& token, unsigned offset) {
    if (is_qualifier(token)) new_end = offset + token.getLength();
    return is_qualifier(token);
  });
  return clang::CharSourceRange::getCharRange(file_start.getLocWithOffset(begin), file_start.getLocWithOffset(new_end));
}

std::string SourceMap::working_directory() const {
  llvm::ErrorOr<std::string> result = sources_.getFileManager().getVirtualFileSystem().getCurrentWorkingDirectory();
  return result ? *result : "";
}

std::string SourceMap::header_path(llvm::StringRef name) const {
  // A precompiled header has absolute names of its files, however they were spelled.
  std::string path = root_.relative_or_absolute(name, working_directory());
  auto main_file = sources_.getFileEntryRefForID(sources_.getMainFileID());
  bool is_relative = main_file && !llvm::sys::path::is_absolute(main_file->getName());
  llvm::StringRef below_working_directory = path;
  if (is_relative && below_working_directory.consume_front(working_directory() + "/")) {
    return below_working_directory.str();
  }
  return path;
}

std::string SourceMap::path(clang::FileID file) const {
  auto [entry, is_new] = paths_.try_emplace(file);
  if (is_new) {
    std::string path;
    if (auto reference = sources_.getFileEntryRefForID(file)) {
      bool is_main = file == sources_.getMainFileID();
      path = is_main ? root_.relative(reference->getName(), working_directory()) : header_path(reference->getName());
    } else {
      path = sources_.getBufferOrFake(file).getBufferIdentifier().str();
    }
    entry->second = path;
    files_.emplace(path, file);
  }
  return entry->second;
}

clang::FileID SourceMap::file(llvm::StringRef path) const {
  auto found = files_.find(std::string_view(path));
  return found == files_.end() ? clang::FileID() : found->second;
}

}  // namespace structured::gen
