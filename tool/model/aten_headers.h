// Operators that the headers of an installed libtorch declare.
#pragma once

#include <string>
#include <vector>

#include "model/declaration.h"

namespace structured::gen {

/// `struct add_Tensor` in `at::_ops`.
struct AtenOperator {
  std::string name;                 ///< `add_Tensor`
  std::string schema;               ///< text of `schema_str`
  CppType result;                   ///< of the function type `schema`
  std::vector<CppType> parameters;  ///< of the function type `schema`
};

/// `struct structured_add_Tensor` in `at::meta`.
struct AtenMeta {
  std::string name;  ///< `add_Tensor`
  ClassFact base;    ///< the class itself
  CppType result;    ///< of its member `meta`
  std::optional<ClassFact> result_class;
  std::vector<CppType> parameters;
};

struct AtenHeaders {
  std::vector<AtenOperator> operators;
  std::vector<AtenMeta> metas;
};

}  // namespace structured::gen
