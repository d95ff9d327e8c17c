#include "import/compare_libraries.h"

#include <algorithm>
#include <map>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

namespace structured::gen {
namespace {

using Words = std::vector<std::string>;

Words sorted(Words words) {
  llvm::sort(words);
  words.erase(llvm::unique(words), words.end());
  return words;
}

std::string words_or_none(const Words& words) { return words.empty() ? "none" : "`" + llvm::join(words, "`, `") + "`"; }

llvm::StringRef unqualified(llvm::StringRef name) { return name.contains("::") ? name.rsplit("::").second : name; }

/// The facts about one variant that both sides have.
struct Facts {
  std::string schema;
  bool structured = false;
  std::string base;
  Words precomputed;
  Words impls;
  Words kernels;
  bool is_method = false;
  bool checks_device = true;
  Words tags;
  Words no_cpp_default;
};

Words backends_of(llvm::ArrayRef<Kernel> kernels) {
  Words backends;
  for (const Kernel& kernel : kernels) backends.push_back(kernel.backend);
  return sorted(std::move(backends));
}

/// Returns the arguments without a C++ default; `*` in `names` means all that have a default in the schema.
Words expand(const Words& names, const Schema& schema) {
  if (!llvm::is_contained(names, "*")) return sorted(names);
  Words all;
  for (const std::vector<Argument>* arguments : {&schema.positional, &schema.keyword_only}) {
    for (const Argument& argument : *arguments) {
      if (argument.default_value) all.push_back(argument.name);
    }
  }
  return sorted(std::move(all));
}

Facts facts_of(const Operator& op, const Variant& variant) {
  Facts facts;
  facts.schema = to_string(variant.schema);
  facts.structured = op.structured || op.pointwise;
  facts.kernels = backends_of(variant.kernels);
  if (op.structured) {
    facts.base = unqualified(op.structured->base.name).str();
    if (op.structured->precomputed) {
      for (const Member& member : op.structured->precomputed->members) facts.precomputed.push_back(member.name);
    }
    facts.impls = backends_of(op.structured->impls);
  } else if (op.pointwise) {
    facts.base = "TensorIteratorBase";
    facts.impls = sorted(op.pointwise->backends);
  }
  facts.is_method = op.is_method;
  facts.checks_device = op.checks_device;
  facts.tags = sorted(op.tags);
  facts.no_cpp_default = expand(op.no_cpp_default, op.variants.front().schema);
  return facts;
}

struct FoundVariant {
  const Operator* op = nullptr;
  const Variant* variant = nullptr;
};

class Comparer {
 public:
  Comparer(llvm::StringRef file, const Library& library) : file_(file) {
    for (const Operator& op : library.operators) {
      for (const Variant& variant : op.variants) {
        OperatorName name = variant.schema.name;
        if (name.ns == library.schema_namespace) name.ns.clear();
        found_.emplace(std::move(name), FoundVariant{&op, &variant});
      }
    }
  }

  LibraryComparison compare(llvm::ArrayRef<YamlOperator> expected, bool finds_others,
                            llvm::ArrayRef<OperatorName> generated) && {
    for (const YamlOperator& op : expected) {
      for (std::size_t i = 0; i < op.op.variants.size(); ++i) compare_variant(op, i);
    }
    if (finds_others) {
      for (const OperatorName& name : generated) found_.erase(name);
      for (const auto& [name, found] : found_) {
        ++result_.different;
        result_.differences.push_back(
            (file_ + ": operator `" + to_string(name) + "`: expected an entry, found none").str());
      }
    }
    return std::move(result_);
  }

 private:
  void compare_variant(const YamlOperator& expected, std::size_t index) {
    const Variant& variant = expected.op.variants[index];
    subject_ =
        (file_ + ":" + llvm::Twine(expected.lines[index]) + ": operator `" + to_string(variant.schema.name) + "`: ")
            .str();
    const std::size_t before = result_.differences.size();
    const auto found = found_.find(variant.schema.name);
    if (found == found_.end()) {
      result_.differences.push_back(subject_ + "expected a declaration, found none");
    } else {
      compare_facts(expected, index, facts_of(expected.op, variant), found->second);
      found_.erase(found);
    }
    ++(result_.differences.size() == before ? result_.equal : result_.different);
  }

  void compare_facts(const YamlOperator& yaml, std::size_t index, const Facts& expected, const FoundVariant& found) {
    Schema schema = found.variant->schema;
    schema.name = yaml.op.variants[index].schema.name;
    Facts actual = facts_of(*found.op, *found.variant);
    actual.schema = to_string(schema);
    difference("the schema", "`" + expected.schema + "`", "`" + actual.schema + "`");
    if (expected.structured != actual.structured) {
      const auto form = [](bool structured) { return structured ? "a structured operator" : "an unstructured kernel"; };
      return difference("", form(expected.structured), form(actual.structured));
    }
    difference("kernels for the backends", words_or_none(expected.kernels), words_or_none(actual.kernels));
    // Facts about the whole operator are compared once.
    if (index != 0) return;
    if (expected.structured) {
      difference("the base class", "`" + expected.base + "`", "`" + actual.base + "`");
      difference("the precomputed values", words_or_none(expected.precomputed), words_or_none(actual.precomputed));
      difference("impls for the backends", words_or_none(expected.impls), words_or_none(actual.impls));
    }
    const auto method = [](const Facts& facts) { return facts.is_method ? "a method" : "no method"; };
    difference("", method(expected), method(actual));
    const auto device_check = [](const Facts& facts) {
      return facts.checks_device ? "a device check" : "no device check";
    };
    difference("", device_check(expected), device_check(actual));
    difference("the tags", words_or_none(expected.tags), words_or_none(actual.tags));
    difference("no C++ default for the arguments", words_or_none(expected.no_cpp_default),
               words_or_none(actual.no_cpp_default));
  }

  void difference(llvm::StringRef what, const std::string& expected, const std::string& found) {
    if (expected == found) return;
    const llvm::StringRef blank = what.empty() || what.ends_with(" ") ? "" : " ";
    result_.differences.push_back((subject_ + "expected " + what + blank + expected + ", found " + found).str());
  }

  llvm::StringRef file_;
  std::map<OperatorName, FoundVariant> found_;
  std::string subject_;
  LibraryComparison result_;
};

}  // namespace

LibraryComparison compare_libraries(llvm::StringRef file, llvm::ArrayRef<YamlOperator> expected, const Library& library,
                                    bool finds_others, llvm::ArrayRef<OperatorName> generated) {
  return Comparer(file, library).compare(expected, finds_others, generated);
}

}  // namespace structured::gen
