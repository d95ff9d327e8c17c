#include "emit/python/overload_order.h"

#include <string>
#include <tuple>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "lower/calling_convention.h"

namespace structured::gen {
namespace {

// Returns the type as Python callers distinguish it: a symbolic integer is an integer.
Type python_type(const Argument& argument) {
  Type type = argument.type;
  if (type.base == Type::Base::SymInt) type.base = Type::Base::Int;
  return type;
}

bool is_optional_of(const Type& type, Type::Base base) {
  return type.base == base && type.wrappers.size() == 1 && type.is_optional();
}
bool is_list_of_ints(const Type& type) {
  return type.base == Type::Base::Int && type.is_list() && type.wrappers.front().kind == Type::Wrapper::Kind::list;
}
bool is_list_of_tensors(const Type& type) {
  return type.base == Type::Base::Tensor && type.wrappers.size() == 1 && type.is_list() && !type.wrappers.front().size;
}

// Whether an argument of type `a` has to be tried after one of type `b`. A strict partial order: lists of names come
// after `Tensor[]`, that after other lists, and those after single values.
bool comes_after(const Type& a, const Type& b) {
  using Base = Type::Base;
  const bool has_other_names = a.base == Base::Dimname && b.base != Base::Dimname;
  return has_other_names || (a.is(Base::Scalar) && b.is(Base::Tensor)) ||
         (is_optional_of(a, Base::Scalar) && is_optional_of(b, Base::Tensor)) ||
         (is_list_of_ints(a) && (b.is(Base::Int) || is_optional_of(b, Base::Int))) ||
         (is_list_of_tensors(a) && schema::contains_list(b) && b.base != Base::Dimname);
}

struct Signature {
  std::vector<Type> types;  // input types, in order
  std::string text;         // for overloads without a relation
};

Signature signature_of(const Schema& schema) {
  Signature result;
  for (const Argument* input : inputs_of(schema)) {
    result.types.push_back(python_type(*input));
    result.text += to_string(result.types.back()) + " " + input->name + ", ";
  }
  return result;
}

bool comes_after(const Signature& a, const Signature& b) {
  if (a.types.size() != b.types.size() || a.types == b.types) return false;
  for (std::size_t i = 0; i < a.types.size(); ++i) {
    if (a.types[i] != b.types[i] && !comes_after(a.types[i], b.types[i])) return false;
  }
  return true;
}

}  // namespace

void sort_overloads(std::vector<PythonOverload>& overloads) {
  struct Entry {
    Signature signature;
    PythonOverload overload;
  };
  std::vector<Entry> waiting;
  waiting.reserve(overloads.size());
  for (PythonOverload& overload : overloads) waiting.push_back({signature_of(overload.schema), std::move(overload)});
  llvm::stable_sort(waiting, [](const Entry& a, const Entry& b) {
    return std::make_tuple(llvm::StringRef(a.signature.text), llvm::StringRef(a.overload.schema.name.overload)) <
           std::make_tuple(llvm::StringRef(b.signature.text), llvm::StringRef(b.overload.schema.name.overload));
  });
  overloads.clear();
  while (!waiting.empty()) {
    const auto is_next = [&](const Entry& entry) {
      return llvm::none_of(waiting, [&](const Entry& other) { return comes_after(entry.signature, other.signature); });
    };
    auto next = llvm::find_if(waiting, is_next);
    if (next == waiting.end()) next = waiting.begin();  // the relation has no cycles
    overloads.push_back(std::move(next->overload));
    waiting.erase(next);
  }
  // Most calls have no `out`.
  llvm::stable_sort(overloads, [](const PythonOverload& a, const PythonOverload& b) {
    return a.schema.out.empty() && !b.schema.out.empty();
  });
}

}  // namespace structured::gen
