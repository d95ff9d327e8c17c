#include "analysis/meta_functions.h"

#include <utility>

#include "analysis/shape_translator.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/STLExtras.h"
#include "model/annotation.h"
#include "scan/source_map.h"

namespace structured::gen {
namespace {

/// Whether sizes of outputs are computed by the function alone, and not by a TensorIterator.
bool has_plain_base(const Declaration& declaration) {
  const auto is_iterator = [](llvm::StringRef name) { return name.ends_with("::TensorIteratorBase"); };
  const std::optional<ClassFact>& base = declaration.base_class;
  return base && !is_iterator(base->name) && llvm::none_of(base->bases, is_iterator);
}

/// Whether a body has sizes that depend on data.
bool calls_dynamic_size(const clang::Stmt* statement) {
  if (statement == nullptr) return false;
  const auto* call = llvm::dyn_cast<clang::CallExpr>(statement);
  const clang::FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
  if (callee && callee->getQualifiedNameAsString() == "structured::dynamic_size") return true;
  return llvm::any_of(statement->children(), calls_dynamic_size);
}

bool is_meta_kernel(const Declaration& declaration) {
  const Attribute* kernel = find_attribute(declaration.attributes, "kernel");
  return kernel != nullptr && llvm::any_of(kernel->arguments, [](const AttributeArgument& argument) {
           const auto* backend = std::get_if<std::string>(&argument.value);
           return backend != nullptr && *backend == "Meta";
         });
}

}  // namespace

void translate_meta_function(const clang::FunctionDecl& function, clang::Sema& sema, const SourceMap& map,
                             Declaration& declaration) {
  const bool is_meta = has_attribute(declaration.attributes, "meta") && has_plain_base(declaration);
  if (!(is_meta || is_meta_kernel(declaration)) || !function.hasBody()) return;
  ShapeProgram program;
  program.has_dynamic_sizes = calls_dynamic_size(function.getBody());
  if (!is_meta && !program.has_dynamic_sizes) return;
  ShapeTranslator translator(sema);
  translator.translate(function);
  if (const auto& refusal = translator.refusal()) {
    program.refusal = refusal->reason;
    program.range = map.range(refusal->range.isValid() ? refusal->range : clang::SourceRange(function.getLocation()));
  } else {
    program.functions = translator.take_functions();
  }
  declaration.shape = std::move(program);
}

}  // namespace structured::gen
