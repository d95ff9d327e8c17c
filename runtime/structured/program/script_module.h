#pragma once
// TorchScript modules for PyTorch's lite interpreter: loading and calls of their methods.
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "structured/program/dynamic_value.h"
#include "structured/program/export.h"
#include "structured/program/operator_lookup.h"

namespace structured {

/// A module from a `.ptl` file, as `_save_for_lite_interpreter` writes it: a zip archive of pickles, or a flatbuffer.
///
///     ScriptModule module = ScriptModule::load("model.ptl", {&structured::find_operator});
///     program::DynamicValue result = module.call("forward", {image});
///
/// Attributes keep what methods write to them. Belongs to one thread at a time.
class STRUCTURED_PROGRAM_API ScriptModule {
 public:
  /// Loads a module from a file, which must not shrink while the module lives. Operators are those of `libraries`,
  /// which are searched in order. Throws Error, with the file, for damaged files, for features that are not supported,
  /// and for missing operators, which it lists.
  static ScriptModule load(const std::string& path, const OperatorLookups& libraries);
  /// Loads a module from a copy of `bytes`; `name` stands for the file in errors. Throws Error as `load` does.
  static ScriptModule load_bytes(std::string_view bytes, const OperatorLookups& libraries,
                                 const std::string& name = "program");
  ScriptModule(ScriptModule&&) noexcept;
  ScriptModule& operator=(ScriptModule&&) noexcept;
  ~ScriptModule();

  /// Names of the methods of the module, sorted.
  std::vector<std::string> methods() const;

  /// Calls a method. Trailing arguments with default values may be left out. Throws Error if there is no such method,
  /// for a wrong number of arguments, and for exceptions that the program raises; rethrows errors of operators with
  /// their name. After an error, attributes may have been changed.
  program::DynamicValue call(std::string_view method, std::vector<program::DynamicValue> arguments);

  /// The value of an attribute. Throws Error if there is none.
  const program::DynamicValue& attribute(std::string_view name) const;

  /// Names of the operators that the functions of the module call, sorted.
  std::vector<std::string> operators() const;

 private:
  struct Impl;
  explicit ScriptModule(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

namespace program {

/// Whether the file is a module for the lite interpreter. Throws Error if it cannot be read.
STRUCTURED_PROGRAM_API bool is_script_module(const std::string& path);

}  // namespace program
}  // namespace structured
