#include "import/import_skeletons.h"

#include <map>

#include "check/check.h"
#include "derive/derive.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

namespace structured::gen {
namespace {

/// A skeleton that may still turn out to be wrong.
struct Candidate {
  const YamlOperator* source = nullptr;
  Skeleton skeleton;
};

/// Locates all declarations at the operator's line, with distinct columns. The index of declarations sorts by location.
void locate(Declaration& declaration, const SourceRange& range) {
  for (SourceRange* each :
       {&declaration.range, &declaration.name_range, &declaration.result_range, &declaration.parameters_range}) {
    *each = range;
  }
  for (Parameter& parameter : declaration.parameters) {
    for (SourceRange* each : {&parameter.range, &parameter.type_range, &parameter.name_range}) *each = range;
    // The attribute `schema_default` has the default for check and derive.
    parameter.default_argument.reset();
    for (Attribute& attribute : parameter.attributes) {
      attribute.range = range;
      for (AttributeArgument& argument : attribute.arguments) argument.range = range;
    }
  }
  for (Attribute& attribute : declaration.attributes) {
    attribute.range = range;
    for (AttributeArgument& argument : attribute.arguments) argument.range = range;
  }
}

class Importer {
 public:
  Importer(const Dialect& dialect, const ImportOptions& options) : dialect_(dialect), options_(options) {}

  ImportedSkeletons import(llvm::ArrayRef<YamlOperator> operators) && {
    SkeletonBuilder builder(dialect_, options_.name_space);
    for (const YamlOperator& source : operators) {
      llvm::Expected<Skeleton> skeleton = builder.build(source.op);
      if (skeleton) {
        candidates_.push_back({&source, std::move(*skeleton)});
      } else {
        leave_out(source, llvm::toString(skeleton.takeError()));
      }
    }
    // An operator that is left out may have hidden an error of another.
    while (reject_unchecked()) {
    }
    reject_underivable();
    for (Candidate& candidate : candidates_) {
      result_.operators.push_back(finished(std::move(candidate)));
    }
    for (auto& [line, reason] : left_out_) result_.left_out.push_back(std::move(reason));
    return std::move(result_);
  }

 private:
  void leave_out(const YamlOperator& source, const llvm::Twine& reason) {
    for (std::size_t i = 0; i < source.op.variants.size(); ++i) {
      left_out_.emplace(source.lines[i], (options_.file + ":" + llvm::Twine(source.lines[i]) + ": operator `" +
                                          to_string(source.op.variants[i].schema.name) + "`: " + reason)
                                             .str());
    }
  }

  Fragment fragment() const {
    Fragment fragment;
    fragment.source = options_.file;
    fragment.dialect = dialect_.name().str();
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      unsigned column = 1;
      for (Declaration declaration : candidates_[i].skeleton.declarations) {
        const Position begin{static_cast<unsigned>(i) + 1, column++};
        locate(declaration, {options_.file, begin, begin});
        fragment.declarations.push_back(std::move(declaration));
      }
    }
    return fragment;
  }

  /// Leaves out the operators with errors. Returns whether there were any.
  bool reject_unchecked() {
    CheckOptions options;
    options.schema_namespace = options_.schema_namespace;
    options.cpp_namespace = options_.cpp_namespace;
    options.cpp_types = dialect_.cpp_types();
    options.whole_library = options_.whole_library;
    std::map<std::size_t, std::string> reasons;
    for (const Diagnostic& diagnostic : check({fragment()}, dialect_.types(), options)) {
      if (severity_of(diagnostic.kind) != Severity::error || diagnostic.range.begin.line == 0) continue;
      reasons.try_emplace(diagnostic.range.begin.line - 1, diagnostic.message);
    }
    reject(reasons);
    return !reasons.empty();
  }

  void reject_underivable() {
    const Library library = derive({fragment()}, dialect_.types(), options_.schema_namespace, options_.cpp_namespace);
    llvm::StringMap<std::string> derived;
    for (const Operator& op : library.operators) {
      for (const Variant& variant : op.variants) {
        derived[to_string(variant.schema.name)] = to_string(variant.schema);
      }
    }
    std::map<std::size_t, std::string> reasons;
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      for (const Variant& variant : candidates_[i].source->op.variants) {
        const std::string expected = to_string(variant.schema);
        const std::string& found = derived[to_string(variant.schema.name)];
        if (found == expected) continue;
        reasons.try_emplace(i, ("annotations derive `" + llvm::Twine(found) + "`; expected `" + expected + "`").str());
      }
    }
    reject(reasons);
  }

  void reject(const std::map<std::size_t, std::string>& reasons) {
    std::vector<Candidate> kept;
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      const auto reason = reasons.find(i);
      if (reason == reasons.end()) {
        kept.push_back(std::move(candidates_[i]));
      } else {
        leave_out(*candidates_[i].source, reason->second);
      }
    }
    candidates_ = std::move(kept);
  }

  static SkeletonOperator finished(Candidate candidate) {
    SkeletonOperator result;
    result.base = candidate.source->op.variants.front().schema.name.base;
    for (const Variant& variant : candidate.source->op.variants) result.names.push_back(to_string(variant.schema.name));
    for (const std::string& note : candidate.source->notes) result.notes.push_back("Not expressed: " + note);
    llvm::append_range(result.notes, candidate.skeleton.notes);
    result.skeleton = std::move(candidate.skeleton);
    return result;
  }

  const Dialect& dialect_;
  const ImportOptions& options_;
  std::vector<Candidate> candidates_;
  std::multimap<unsigned, std::string> left_out_;  ///< by line
  ImportedSkeletons result_;
};

}  // namespace

ImportedSkeletons import_skeletons(llvm::ArrayRef<YamlOperator> operators, const Dialect& dialect,
                                   const ImportOptions& options) {
  return Importer(dialect, options).import(operators);
}

}  // namespace structured::gen
