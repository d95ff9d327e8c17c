#include "check/attribute_values.h"

#include "check/rules.h"
#include "language/dtypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "model/cpp_names.h"
#include "model/kernel_form.h"
#include "model/parameter.h"
#include "model/sharding_rule.h"
#include "model/signature_form.h"

namespace structured::gen {
namespace {

/// Whether an `impl` or `kernel` attribute of the function lists the backend.
bool serves(const Declaration& declaration, llvm::StringRef backend) {
  return llvm::any_of(declaration.attributes, [&](const Attribute& attribute) {
    bool has_backends = attribute.name == "impl" || attribute.name == "kernel";
    return has_backends && llvm::is_contained(string_arguments(attribute, 1), backend);
  });
}

/// Reports the argument of attributes of that name that is not among the known rules.
void check_rule(Checker& checker, llvm::StringRef name, const std::vector<std::string>& known) {
  for (const FoundDeclaration& found : checker.index().declarations()) {
    for (const Attribute& attribute : found.declaration->attributes) {
      auto rule = attribute.name == name ? string_argument(attribute, 0) : std::nullopt;
      if (!rule || rule->empty() || llvm::is_contained(known, *rule)) continue;
      const SourceRange& range = attribute.arguments[0].range;
      checker
          .build(DiagnosticKind::bad_attribute_argument, range, "{} has no rule {}; expected {}", Code(name),
                 Code(*rule), List(known, "or"))
          .fix(string_replacement(range, DidYouMean(*rule, known)))
          .emit();
    }
  }
}

}  // namespace

std::vector<std::string> backends_for(const TypeTable& types, Role role) {
  std::vector<std::string> backends;
  for (llvm::StringRef backend : types.backends()) {
    // Impls compute into outputs on one backend. On Meta, only the meta function runs.
    if (role == Role::impl && (is_composite_backend(backend) || backend == "Meta")) continue;
    backends.push_back(backend.str());
  }
  return backends;
}

void check_backends(Checker& checker) {
  for (const FoundDeclaration& found : checker.index().declarations()) {
    for (const Attribute& attribute : found.declaration->attributes) {
      auto role = role_named(attribute.name);
      if (role != Role::impl && role != Role::kernel) continue;
      for (std::size_t i = 1; i < attribute.arguments.size(); ++i) {
        auto backend = string_argument(attribute, i);
        if (!backend || backend->empty()) continue;
        std::vector<std::string> known = backends_for(checker.types(), *role);
        if (llvm::is_contained(known, *backend)) continue;
        const SourceRange& range = attribute.arguments[i].range;
        if (*backend == "Meta") {
          checker.report(
              DiagnosticKind::unknown_backend, range,
              "`impl` for the backend `Meta`; remove it, because the `meta` function is the kernel for `Meta`");
        } else if (checker.types().is_backend(*backend)) {
          checker.report(DiagnosticKind::unknown_backend, range,
                         "`impl` for {}, which is not a single backend; use `kernel`", Code(*backend));
        } else {
          const DidYouMean meant(*backend, known);
          checker.build(DiagnosticKind::unknown_backend, range, "unknown backend {}{}", Code(*backend), meant)
              .fix(string_replacement(range, meant))
              .emit();
        }
      }
    }
  }
}

void check_own_backends(Checker& checker) {
  const std::vector<std::string>& own = checker.options().backends;
  if (own.empty()) return;
  for_each_reference(checker, [&](const OperatorRef& ref) {
    if (ref.found.is_imported || (ref.role() != Role::impl && ref.role() != Role::kernel)) return;
    for (std::size_t i = 1; i < ref.attribute->arguments.size(); ++i) {
      auto backend = string_argument(*ref.attribute, i);
      if (!backend || !checker.types().is_backend(*backend) || llvm::is_contained(own, *backend)) continue;
      checker.report(DiagnosticKind::foreign_backend, ref.attribute->arguments[i].range,
                     "{} for {} on {}, which is not a backend of this library; expected {}", ref.role(), ref.name,
                     Code(*backend), List(own, "or"));
    }
  });
}

void check_dtypes(Checker& checker) {
  std::vector<std::string> known;
  for (const DtypeName& dtype : dtype_names()) known.push_back(dtype.name.str());
  for (const FoundDeclaration& found : checker.index().declarations()) {
    for (const Attribute& attribute : found.declaration->attributes) {
      if (attribute.name != "dtypes") continue;
      for (std::size_t i = 0; i < attribute.arguments.size(); ++i) {
        auto name = string_argument(attribute, i);
        if (!name || name->empty() || llvm::is_contained(known, *name)) continue;
        const SourceRange& range = attribute.arguments[i].range;
        if (i == 0 && checker.types().is_backend(*name)) {
          if (serves(*found.declaration, *name)) continue;
          checker.report(DiagnosticKind::bad_attribute_argument, range,
                         "`dtypes` for {}, a backend for which {} is not a kernel", Code(*name),
                         Code(found.declaration->name));
          continue;
        }
        const DidYouMean meant(*name, known);
        checker
            .build(DiagnosticKind::bad_attribute_argument, range, "`dtypes` has unknown dtype {}{}", Code(*name), meant)
            .fix(string_replacement(range, meant))
            .emit();
      }
    }
  }
}

void check_promotion(Checker& checker) {
  std::vector<std::string> known;
  for (llvm::StringRef rule : promotion_rules()) known.push_back(rule.str());
  check_rule(checker, "promote", known);
}

void check_autocast(Checker& checker) {
  std::vector<std::string> known;
  for (llvm::StringRef rule : autocast_rules()) known.push_back(rule.str());
  check_rule(checker, "autocast", known);
}

void check_sharding(Checker& checker) {
  for_each_signature(checker, [&](const OperatorRef& ref) {
    const Declaration& declaration = ref.declaration();
    for (const Attribute& attribute : declaration.attributes) {
      const auto text = attribute.name == "sharding" ? string_argument(attribute, 0) : std::nullopt;
      if (!text || text->empty()) continue;
      const SourceRange& range = attribute.arguments[0].range;
      llvm::Expected<ShardingRule> rule = parse_sharding_rule(*text);
      if (!rule) {
        checker.report(DiagnosticKind::bad_attribute_argument, range, "`sharding` has no readable rule: {}",
                       Phrase(llvm::toString(rule.takeError())));
        continue;
      }
      const bool is_meta = ref.role() == Role::meta;
      std::vector<Argument> arguments;
      const std::size_t outputs = is_meta ? 0 : kernel_form(declaration, ref.name, checker.types()).outputs;
      for (const Parameter& parameter : llvm::ArrayRef<Parameter>(declaration.parameters).drop_back(outputs)) {
        if (const auto type = argument_type(parameter, checker.types()))
          arguments.push_back({parameter.name, *type, {}, {}});
      }
      std::optional<std::size_t> results;
      if (!is_meta && outputs == 0) {
        if (const auto types = checker.types().results(declaration.result.canonical)) results = types->size();
      }
      if (const auto fault = misfit(*rule, arguments, results)) {
        checker.report(DiagnosticKind::bad_attribute_argument, range, "the rule of `sharding` for {} {}", ref.name,
                       Phrase(*fault));
      }
    }
  });
}

void check_no_cpp_default(Checker& checker) {
  for (const FoundDeclaration& found : checker.index().declarations()) {
    std::vector<std::string> known;
    for (const Parameter& parameter : found.declaration->parameters) known.push_back(parameter.name);
    for (const Attribute& attribute : found.declaration->attributes) {
      if (attribute.name != "no_cpp_default") continue;
      for (std::size_t i = 0; i < attribute.arguments.size(); ++i) {
        auto name = string_argument(attribute, i);
        if (!name || name->empty() || llvm::is_contained(known, *name)) continue;
        const SourceRange& range = attribute.arguments[i].range;
        const DidYouMean meant(*name, known);
        checker
            .build(DiagnosticKind::bad_attribute_argument, range,
                   "`no_cpp_default` names {}, which is not a parameter of {}{}", Code(*name),
                   Code(found.declaration->name), meant)
            .fix(string_replacement(range, meant))
            .emit();
      }
    }
  }
}

void check_result_names(Checker& checker) {
  for_each_reference(checker, [&](const OperatorRef& ref) {
    for (const ResultNames& names : read_result_names(ref, checker.index())) {
      std::vector<llvm::StringRef> seen;
      for (std::size_t i = names.variant ? 1 : 0; i < names.attribute->arguments.size(); ++i) {
        auto name = string_argument(*names.attribute, i);
        if (!name || name->empty()) continue;
        if (llvm::is_contained(llvm::ArrayRef(seen), *name)) {
          checker.report(DiagnosticKind::bad_attribute_argument, names.attribute->arguments[i].range,
                         "`returns` has {} twice; expected a different name for each result", Code(*name));
        }
        seen.push_back(*name);
        if (is_identifier(*name)) continue;
        checker.report(DiagnosticKind::bad_attribute_argument, names.attribute->arguments[i].range,
                       "`returns` has {}, which is neither an identifier nor a variant of this operator", Code(*name));
      }
    }
  });
}

}  // namespace structured::gen
