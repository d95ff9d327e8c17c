#include "import/yaml_entries.h"

#include <optional>

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLParser.h"

namespace structured::gen {
namespace {

namespace yaml = llvm::yaml;

llvm::StringRef kind_of(const yaml::Node& node) {
  switch (node.getType()) {
    case yaml::Node::NK_Scalar:
    case yaml::Node::NK_BlockScalar:
      return "a scalar";
    case yaml::Node::NK_Sequence:
      return "a list";
    case yaml::Node::NK_Mapping:
      return "a mapping";
    case yaml::Node::NK_Alias:
      return "an alias";
    default:
      return "no value";
  }
}

class Reader {
 public:
  Reader(llvm::StringRef file, llvm::StringRef text) : file_(file) {
    sources_.setDiagHandler(&Reader::on_syntax_error, this);
    stream_.emplace(text, sources_, /*ShowColors=*/false);
  }

  YamlEntries read() && {
    bool is_first = true;
    for (yaml::document_iterator document = stream_->begin(), end = stream_->end(); document != end; ++document) {
      yaml::Node* root = document->getRoot();
      if (!root || stream_->failed()) break;
      if (!is_first) {
        subject_.clear();
        error(*root, "expected one document, found another");
        break;
      }
      is_first = false;
      if (auto* sequence = llvm::dyn_cast<yaml::SequenceNode>(root)) {
        for (yaml::Node& node : *sequence) read_entry(node);
      } else if (!llvm::isa<yaml::NullNode>(root)) {
        expected(*root, "a list of operators");
      }
    }
    return std::move(result_);
  }

 private:
  static void on_syntax_error(const llvm::SMDiagnostic& diagnostic, void* reader) {
    auto* self = static_cast<Reader*>(reader);
    const int line = diagnostic.getLineNo();
    self->error(line > 0 ? static_cast<unsigned>(line) : 1, "malformed YAML: " + diagnostic.getMessage());
  }

  void error(unsigned line, const llvm::Twine& message) {
    const std::string subject = subject_.empty() ? "" : "operator `" + subject_ + "`: ";
    result_.errors.push_back((file_ + ":" + llvm::Twine(line) + ": " + subject + message).str());
  }
  void error(const yaml::Node& node, const llvm::Twine& message) { error(line_of(node), message); }
  void expected(const yaml::Node& node, const llvm::Twine& what) {
    error(node, "expected " + what + ", found " + kind_of(node));
  }

  unsigned line_of(const yaml::Node& node) const {
    const llvm::SMLoc start = node.getSourceRange().Start;
    const unsigned buffer = start.isValid() ? sources_.FindBufferContainingLoc(start) : 0;
    return buffer == 0 ? last_line_ : sources_.getLineAndColumn(start, buffer).first;
  }

  /// Returns the text of a scalar; std::nullopt after reporting any other node.
  std::optional<std::string> scalar(yaml::Node* node, const llvm::Twine& what) {
    if (!node) return std::nullopt;  // a reported error of syntax
    if (auto* plain = llvm::dyn_cast<yaml::ScalarNode>(node)) {
      llvm::SmallString<128> storage;
      return plain->getValue(storage).str();
    }
    if (auto* block = llvm::dyn_cast<yaml::BlockScalarNode>(node)) return block->getValue().rtrim().str();
    expected(*node, what);
    return std::nullopt;
  }

  void read_entry(yaml::Node& node) {
    subject_.clear();
    auto* mapping = llvm::dyn_cast<yaml::MappingNode>(&node);
    if (!mapping) return expected(node, "the mapping of an operator, such as `func: ...`");
    YamlEntry entry;
    for (yaml::KeyValueNode& pair : *mapping) {
      yaml::Node* key = pair.getKey();
      auto name = scalar(key, "the name of a field");
      if (!name) continue;
      last_line_ = line_of(*key);
      if (entry.line == 0) entry.line = last_line_;
      YamlField field{std::move(*name), last_line_, {}};
      if (!read_value(pair.getValue(), field)) continue;
      const auto* text = std::get_if<std::string>(&field.value);
      if (text && field.key == "func") subject_ = subject_of(*text).str();
      entry.fields.push_back(std::move(field));
    }
    if (entry.line == 0) entry.line = line_of(node);
    result_.entries.push_back(std::move(entry));
  }

  /// Returns false after reporting an error.
  bool read_value(yaml::Node* node, YamlField& field) {
    const std::string owner = "`" + field.key + "`";
    if (auto* sequence = llvm::dyn_cast_or_null<yaml::SequenceNode>(node)) {
      auto& list = field.value.emplace<YamlField::List>();
      bool is_good = true;
      for (yaml::Node& item : *sequence) {  // LLVM's parser requires iteration to the end
        auto text = scalar(&item, "a scalar in " + owner);
        is_good = is_good && text;
        if (text) list.push_back(std::move(*text));
      }
      return is_good;
    }
    if (auto* mapping = llvm::dyn_cast_or_null<yaml::MappingNode>(node)) {
      auto& pairs = field.value.emplace<YamlField::Mapping>();
      bool is_good = true;
      for (yaml::KeyValueNode& pair : *mapping) {
        yaml::Node* key_node = pair.getKey();
        auto key = scalar(key_node, "a scalar as key in " + owner);
        auto value = key ? scalar(pair.getValue(), "a scalar for `" + *key + "` in " + owner) : std::nullopt;
        is_good = is_good && value;
        if (value) pairs.push_back({std::move(*key), std::move(*value), line_of(*key_node)});
      }
      return is_good;
    }
    auto text = scalar(node, "a value of " + owner);
    if (text) field.value = std::move(*text);
    return text.has_value();
  }

  std::string file_;
  llvm::SourceMgr sources_;
  std::optional<yaml::Stream> stream_;
  YamlEntries result_;
  unsigned last_line_ = 1;
  std::string subject_;  ///< the operator of the current entry
};

}  // namespace

llvm::StringRef subject_of(llvm::StringRef schema) {
  return schema.take_until([](char c) { return c == '('; }).trim();
}

YamlEntries read_yaml_entries(llvm::StringRef file, llvm::StringRef text) { return Reader(file, text).read(); }

}  // namespace structured::gen
