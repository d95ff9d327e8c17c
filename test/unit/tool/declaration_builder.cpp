#include "declaration_builder.h"

#include <gtest/gtest.h>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "model/cpp_type_tree.h"

namespace structured::gen::test {
namespace {

struct Token {
  enum class Kind { word, string, comment, symbol, end };
  Kind kind = Kind::end;
  llvm::StringRef text;
};

/// Splits text into words (names and numbers), string literals, `///` comments, and symbols.
class Lexer {
 public:
  Lexer(llvm::StringRef file, llvm::StringRef text) : file_(file), text_(text) {}

  std::vector<Token> tokens() {
    std::vector<Token> tokens;
    while (tokens.empty() || tokens.back().kind != Token::Kind::end) tokens.push_back(next());
    return tokens;
  }

  Position position(const char* place) const {
    llvm::StringRef before(text_.data(), static_cast<std::size_t>(place - text_.data()));
    std::size_t line_start = before.rfind('\n') == llvm::StringRef::npos ? 0 : before.rfind('\n') + 1;
    return {static_cast<unsigned>(before.count('\n') + 1), static_cast<unsigned>(before.size() - line_start + 1)};
  }

  SourceRange range(const char* begin, const char* end) const { return {file_.str(), position(begin), position(end)}; }

 private:
  Token take(Token::Kind kind, std::size_t size) {
    Token token{kind, rest().take_front(size)};
    offset_ += size;
    return token;
  }

  llvm::StringRef rest() const { return text_.drop_front(offset_); }

  Token next() {
    offset_ += rest().size() - rest().ltrim().size();
    if (rest().empty()) return {Token::Kind::end, rest()};
    if (rest().starts_with("///"))
      return take(Token::Kind::comment, rest().take_until([](char c) { return c == '\n'; }).size());
    if (rest().starts_with("\"")) return take(Token::Kind::string, string_size());
    for (llvm::StringRef symbol : {"[[", "]]", "..."}) {
      if (rest().starts_with(symbol)) return take(Token::Kind::symbol, symbol.size());
    }
    auto is_word = [](char c) { return llvm::isAlnum(c) || c == '_' || c == ':' || c == '.'; };
    std::size_t size = rest().take_while(is_word).size();
    return size ? take(Token::Kind::word, size) : take(Token::Kind::symbol, 1);
  }

  std::size_t string_size() const {
    std::size_t size = 1;
    while (size < rest().size() && rest()[size] != '"') size += rest()[size] == '\\' ? 2 : 1;
    return size + 1;
  }

  llvm::StringRef file_;
  llvm::StringRef text_;
  std::size_t offset_ = 0;
};

/// Returns the canonical spelling of a name in the native dialect.
std::string native_name(llvm::StringRef name) {
  return llvm::StringSwitch<std::string>(name)
      .Case("int64_t", "long")
      .Case("std::string_view", "std::basic_string_view<char>")
      .Case("std::string", "std::basic_string<char>")
      .Case("IntArrayRef", "structured::ArrayRef<long>")
      .Case("TensorList", "structured::ArrayRef<structured::Tensor>")
      .Case("DimnameList", "structured::ArrayRef<structured::Dimname>")
      .Cases("Tensor", "Scalar", "ScalarType", "Layout", "Device", "MemoryFormat", "structured::" + name.str())
      .Cases("Generator", "Storage", "QScheme", "ArrayRef", "OptionalIntArrayRef", "structured::" + name.str())
      .Cases("MetaBase", "TensorIteratorBase", "structured::" + name.str())
      .Default(name.str());
}

/// Returns the qualified name in PyTorch's C++ library.
std::string aten_name(llvm::StringRef name) {
  name.consume_front("::");
  return llvm::StringSwitch<std::string>(name)
      .Case("int64_t", "long")
      .Case("c10::string_view", "c10::basic_string_view<char>")
      .Case("at::IntArrayRef", "c10::ArrayRef<long>")
      .Case("at::ArrayRef", "c10::ArrayRef")
      .Case("at::TensorList", "c10::ArrayRef<at::Tensor>")
      .Case("at::ITensorListRef", "c10::IListRef<at::Tensor>")
      .Case("at::IOptTensorListRef", "c10::IListRef<at::OptionalTensorRef>")
      .Case("at::OptionalScalarRef", "c10::OptionalRef<c10::Scalar>")
      .Case("at::OptionalIntArrayRef", "c10::OptionalArrayRef<long>")
      .Case("at::OptionalSymIntArrayRef", "c10::OptionalArrayRef<c10::SymInt>")
      .Case("c10::SymIntArrayRef", "c10::ArrayRef<c10::SymInt>")
      .Case("at::DimnameList", "c10::ArrayRef<at::Dimname>")
      .Cases("at::Scalar", "at::ScalarType", "at::Layout", "at::Device", "c10::" + name.substr(4).str())
      .Cases("at::MemoryFormat", "at::Storage", "at::QScheme", "c10::" + name.substr(4).str())
      .Default(name.str());
}

class Reader {
 public:
  Reader(llvm::StringRef source, llvm::StringRef text, const ReadOptions& options)
      : lexer_(source, text), options_(options), tokens_(lexer_.tokens()) {}

  std::vector<Declaration> declarations() {
    std::vector<Declaration> result;
    while (here().kind != Token::Kind::end && !failed_) result.push_back(declaration());
    if (failed_) ADD_FAILURE() << "cannot read the declarations at `" << here().text.take_front(60).str() << "`";
    return result;
  }

 private:
  const Token& here() const { return tokens_[next_]; }
  const Token& token(std::size_t ahead) const { return tokens_[std::min(next_ + ahead, tokens_.size() - 1)]; }
  bool at(llvm::StringRef text) const { return here().text == text; }
  const Token& take() {
    const Token& token = here();
    if (token.kind == Token::Kind::end)
      failed_ = true;
    else
      ++next_;
    return token;
  }
  bool consume(llvm::StringRef text) {
    if (!at(text)) return false;
    take();
    return true;
  }
  void expect(llvm::StringRef text) {
    if (!consume(text)) failed_ = true;
  }
  SourceRange range(const char* begin, const char* end) const { return lexer_.range(begin, end); }
  SourceRange range(const Token& first, const Token& last) const { return range(first.text.begin(), last.text.end()); }
  const Token& previous() const { return tokens_[next_ - 1]; }

  std::string canonical(llvm::StringRef written) const {
    auto tree = parse_cpp_type(written);
    if (!tree) return written.str();
    rename(*tree);
    return to_string(*tree);
  }

  void rename(CppTypeTree& tree) const {
    for (CppTypeTree& argument : tree.arguments) rename(argument);
    if (auto known = options_.classes.find(tree.name); known != options_.classes.end()) {
      tree.name = known->second.name;
      return;
    }
    auto named = parse_cpp_type(options_.dialect == "aten" ? aten_name(tree.name) : native_name(tree.name));
    if (!named) return;
    tree.name = named->name;
    if (!named->arguments.empty()) tree.arguments = named->arguments;
  }

  CppType type(const Token& first, const Token& last) const {
    llvm::StringRef written(first.text.begin(), static_cast<std::size_t>(last.text.end() - first.text.begin()));
    return {canonical(written), written.str()};
  }

  void skip_balanced(llvm::StringRef open, llvm::StringRef close) {
    int depth = 0;
    do {
      if (at(open)) ++depth;
      if (at(close)) --depth;
      take();
    } while (depth > 0 && !failed_);
  }

  AttributeArgument attribute_argument() {
    const Token& first = take();
    const Token& last = first.text == "-" ? take() : first;
    AttributeArgument argument{std::string(), range(first, last)};
    int64_t number = 0;
    llvm::StringRef text(first.text.begin(), static_cast<std::size_t>(last.text.end() - first.text.begin()));
    if (first.kind == Token::Kind::string)
      argument.value = unescape(text.drop_front().drop_back());
    else if (text == "true" || text == "false")
      argument.value = text == "true";
    else if (!text.getAsInteger(10, number))
      argument.value = number;
    else
      failed_ = true;
    return argument;
  }

  static std::string unescape(llvm::StringRef text) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
      bool is_escape = text[i] == '\\' && i + 1 < text.size();
      if (is_escape) ++i;
      result += is_escape && text[i] == '0' ? '\0' : text[i];
    }
    return result;
  }

  std::vector<Attribute> attributes() {
    std::vector<Attribute> result;
    while (consume("[[")) {
      while (!consume("]]") && !failed_) {
        if (consume(",")) continue;
        const Token& name = take();
        llvm::StringRef text = name.text;
        if (!text.consume_front("structured::")) failed_ = true;
        Attribute attribute{text.str(), {}, {}};
        if (consume("(")) {
          while (!consume(")") && !failed_) {
            if (!consume(",")) attribute.arguments.push_back(attribute_argument());
          }
        }
        attribute.range = range(text.begin(), previous().text.end());
        result.push_back(std::move(attribute));
      }
    }
    return result;
  }

  DefaultArgument default_argument() {
    const Token& first = here();
    int depth = 0;
    while (!failed_ && (depth > 0 || (!at(",") && !at(")")))) {
      if (at("(") || at("{")) ++depth;
      if (at(")") || at("}")) --depth;
      take();
    }
    const Token& last = previous();
    llvm::StringRef text(first.text.begin(), static_cast<std::size_t>(last.text.end() - first.text.begin()));
    return {text.str(), value_of(text), range(first, last)};
  }

  /// Returns the value that a scan would record for a default.
  static DefaultValue value_of(llvm::StringRef text) {
    DefaultValue result;
    bool is_string = text.size() > 1 && text.front() == '"' && text.back() == '"';
    bool is_number = !text.empty() && (llvm::isDigit(text.front()) || text.front() == '-');
    if (is_string || is_number) result.literal = text.str();
    if (is_string) result.evaluated = unescape(text.drop_front().drop_back());
    if (is_number || text == "true" || text == "false") result.evaluated = text.str();
    result.is_initial = text == "{}" || text.ends_with("nullopt");
    return result;
  }

  Parameter parameter() {
    const Token& first = here();
    Parameter result;
    result.attributes = attributes();
    const Token& type_begin = here();
    std::vector<std::size_t> parts;  // indices of the tokens of type and name
    int angles = 0;
    while (!failed_ && (angles > 0 || (!at(",") && !at(")") && !at("=")))) {
      if (at("<")) ++angles;
      if (at(">")) --angles;
      parts.push_back(next_);
      take();
    }
    if (parts.empty()) {
      failed_ = true;
      return result;
    }
    // The last word is the name, unless the type has no other word.
    const Token& last = tokens_[parts.back()];
    bool has_name =
        parts.size() > 1 && last.kind == Token::Kind::word && tokens_[parts[parts.size() - 2]].text != "const";
    const Token& type_end = has_name ? tokens_[parts[parts.size() - 2]] : last;
    result.type = type(type_begin, type_end);
    result.type_range = range(type_begin, type_end);
    if (has_name) {
      result.name = last.text.str();
      result.name_range = range(last, last);
    }
    if (consume("=")) result.default_argument = default_argument();
    result.range = range(first, previous());
    return result;
  }

  void parameters(Declaration& declaration) {
    expect("(");
    const char* begin = previous().text.end();
    while (!at(")") && !failed_) {
      if (consume(",")) continue;
      if (consume("..."))
        declaration.linkage_errors.push_back(LinkageError::is_c_variadic);
      else
        declaration.parameters.push_back(parameter());
    }
    declaration.parameters_range = range(begin, here().text.begin());
    expect(")");
  }

  void template_parameters(Declaration& declaration) {
    if (!consume("template")) return;
    expect("<");
    while (!consume(">") && !failed_) {
      if (consume("typename") || consume("class") || consume(",")) continue;
      declaration.template_parameters.push_back(take().text.str());
    }
    declaration.linkage_errors.push_back(LinkageError::is_template);
  }

  void specifiers(Declaration& declaration) {
    while (true) {
      if (consume("static"))
        declaration.linkage_errors.push_back(LinkageError::is_static);
      else if (consume("inline"))
        declaration.linkage_errors.push_back(LinkageError::is_inline);
      else if (consume("constexpr"))
        declaration.linkage_errors.push_back(LinkageError::is_constexpr);
      else
        return;
    }
  }

  Declaration declaration() {
    Declaration result;
    std::string comment;
    for (; here().kind == Token::Kind::comment; take()) {
      comment += (comment.empty() ? "" : "\n") + here().text.drop_front(3).trim().str();
    }
    result.comment = comment;
    const Token& first = here();
    template_parameters(result);
    result.attributes = attributes();
    specifiers(result);
    const Token& result_begin = here();
    std::size_t name = next_;
    while (!at("(") && !failed_) {
      name = next_;
      take();
    }
    const Token& result_end = tokens_[name > 0 ? name - 1 : 0];
    result.result = type(result_begin, result_end);
    result.result_range = range(result_begin, result_end);
    if (result_begin.text == "auto") result.linkage_errors.push_back(LinkageError::returns_auto);
    result.name = tokens_[name].text.str();
    result.name_range = range(tokens_[name], tokens_[name]);
    parameters(result);
    result.range = range(first, previous());
    if (consume("=")) {
      expect("delete");
      result.linkage_errors.push_back(LinkageError::is_deleted);
    }
    if (at("{")) {
      result.is_definition = true;
      skip_balanced("{", "}");
    } else {
      expect(";");
    }
    add_classes(result);
    return result;
  }

  void add_classes(Declaration& declaration) const {
    if (!declaration.parameters.empty()) declaration.base_class = class_fact(declaration.parameters.front().type, true);
    declaration.result_class = class_fact(declaration.result, false);
  }

  /// Returns facts about a class that can be a base or a precomputed value; nullopt for other types.
  std::optional<ClassFact> class_fact(const CppType& cpp_type, bool is_reference) const {
    auto tree = parse_cpp_type(cpp_type.canonical);
    if (!tree || tree->is_value() == is_reference) return std::nullopt;
    for (const auto& [name, fact] : options_.classes) {
      if (fact.name == tree->name) return fact;
    }
    std::string meta_base = options_.dialect == "aten" ? "at::impl::MetaBase" : "structured::MetaBase";
    if (tree->name == meta_base) return base_class(meta_base, {});
    if (llvm::StringRef(tree->name).ends_with("::TensorIteratorBase")) return base_class(tree->name, {meta_base});
    if (llvm::StringRef(tree->name).ends_with("::Tensor")) return base_class(tree->name, {});
    return std::nullopt;
  }

  Lexer lexer_;
  const ReadOptions& options_;
  std::vector<Token> tokens_;
  std::size_t next_ = 0;
  bool failed_ = false;
};

}  // namespace

ClassFact base_class(llvm::StringRef name, std::vector<std::string> bases) {
  ClassFact fact;
  fact.name = name.str();
  fact.bases = std::move(bases);
  fact.is_default_constructible = true;
  fact.is_visible_from_header = true;
  fact.header = "structured/kernel/base.h";
  fact.range = {"base.h", {1, 1}, {1, 2}};
  return fact;
}

Fragment read_fragment(llvm::StringRef source, llvm::StringRef text, const ReadOptions& options) {
  return {source.str(), options.dialect, Reader(source, text, options).declarations()};
}

}  // namespace structured::gen::test
