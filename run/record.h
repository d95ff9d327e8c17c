// Records of the operators that loading and running programs need, for selections of operators.
#pragma once

#include <structured/core/dtype_record.h>
#include <structured/dispatch/layer.h>
#include <structured/program/operator_lookup.h>

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace structured::run {

/// Records all calls of operators on this thread, those of other operators included, with the dtypes of their tensors
/// and those in which they compute, and the operators that loading a program finds. At most one object at a time.
class Recorder {
 public:
  Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;
  ~Recorder();

  /// Finds an operator as find_in_libraries does, and adds it to the record.
  static const OperatorHandle* find(std::string_view name);

  /// Writes the record for `structured-gen select --trace`. `model` is the name of the program, for reasons. Throws
  /// Error if the file cannot be written.
  void write(const std::string& path, const std::string& model) const;

  std::map<std::string, std::set<std::string>> dtypes;  ///< by full name of the operator
  DtypeRecord created;
  std::set<std::string>* creator = nullptr;  ///< dtypes of the operator that creates tensors; null: none

 private:
  IncludeLayers layers_;
};

}  // namespace structured::run
