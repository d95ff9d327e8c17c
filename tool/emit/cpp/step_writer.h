// Prints the steps of wrappers.
#pragma once

#include <string>
#include <vector>

#include "emit/writer.h"
#include "llvm/ADT/StringRef.h"
#include "lower/calling_convention.h"
#include "lower/function.h"

namespace structured::gen {

/// The classes and functions of a runtime that steps use.
struct StepSpelling {
  llvm::StringLiteral scope;         ///< namespace of adaptors and checks
  llvm::StringLiteral device_guard;  ///< class that makes a device current
  bool labels_tensors = false;       ///< whether the check of devices takes the names of the tensors
};

/// Returns the types and names of an emitted function.
CppSignature signature_of(const Body& body, const std::vector<std::string>& names);
inline CppSignature signature_of(const LoweredFunction& function) {
  return signature_of(function.body, function.parameters);
}

/// Returns the class: `::structured::Out<::acme::Base, 1>`.
std::string adaptor_type(const StepSpelling& spelling, const AdaptorClass& adaptor);

/// Returns the callees with the operator's name as a literal.
Callees with_name_literal(Callees callees);

/// Prints the steps of one body with given names of parameters and callees.
class StepWriter {
 public:
  /// `writer`, `spelling` and `body` must outlive this object. `callees.operator_name` is an expression.
  StepWriter(Writer& writer, const StepSpelling& spelling, const Body& body, CppSignature signature, Callees callees)
      : writer_(writer),
        spelling_(spelling),
        scope_(spelling.scope),
        body_(body),
        signature_(std::move(signature)),
        callees_(std::move(callees)) {}

  void write(const std::vector<Step>& steps) const;

  std::string local(llvm::StringRef wanted) const { return unused_name(wanted, signature_); }
  const CppSignature& signature() const { return signature_; }
  /// `return ::acme::kernels::view(`
  std::string kernel_call(const CallKernel& step) const;
  std::vector<std::string> values(const std::vector<Value>& values) const;

 private:
  void write_step(const CheckDevices& step) const;
  void write_step(const CheckRefined& step) const;
  void write_step(const GuardDevice& step) const;
  void write_step(const MakeAdaptor& step) const;
  void write_step(const CheckOverlap& step) const;
  void write_step(const CheckOutputs& step) const;
  void write_step(const CallMeta& step) const;
  void write_step(const CallImpl& step) const;
  void write_step(const CallKernel& step) const;
  void write_step(const CallOutVariant& step) const;
  void write_step(const BumpVersions& step) const;
  void write_step(const Finish& step) const;
  void write_step(const ReturnOutputs& step) const;
  void write_step(const ReturnParameters& step) const;
  void write_step(const ReturnKept& step) const;

  const std::string& name(std::size_t position) const { return signature_.parameters[position].name; }
  std::vector<std::string> names(const Positions& positions) const;

  Writer& writer_;
  const StepSpelling& spelling_;
  const std::string scope_;
  const Body& body_;
  const CppSignature signature_;
  const Callees callees_;
};

}  // namespace structured::gen
