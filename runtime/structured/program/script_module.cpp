#include "structured/program/script_module.h"

#include <algorithm>
#include <set>
#include <utility>

#include "structured/base/error.h"
#include "structured/format/files.h"
#include "structured/format/zip.h"
#include "structured/program/bytecode.h"
#include "structured/program/interpreter.h"
#include "structured/program/mobile_bytecode.h"
#include "structured/program/pickle.h"
#include "structured/program/ptl.h"
#include "structured/program/ptl_flatbuffer.h"
#include "structured/program/unpickle.h"

namespace structured {

using detail::FileBytes;
using detail::ZipArchive;
using program::BytecodeFunction;
using program::DynamicValue;

struct ScriptModule::Impl {
  explicit Impl(program::BytecodeProgram loaded) : bytecode(std::move(loaded)), interpreter(bytecode) {}

  /// Functions of the module begin with the name of its class.
  std::string prefix() const { return bytecode.module.to_object().class_name + "."; }

  program::BytecodeProgram bytecode;
  program::Interpreter interpreter;
};

namespace {

program::BytecodeProgram read_module(const std::shared_ptr<FileBytes>& file, const std::string& name,
                                     const OperatorLookups& libraries) {
  if (program::is_ptl_flatbuffer(file->view())) return program::read_ptl_flatbuffer(file, name, libraries);
  const ZipArchive archive(file->view(), name);
  STRUCTURED_CHECK(!program::ptl_root(archive).empty(), name,
                   ": expected a module that `_save_for_lite_interpreter` has written, found another zip archive");
  return program::read_ptl(archive, file, libraries);
}

}  // namespace

ScriptModule::ScriptModule(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ScriptModule::ScriptModule(ScriptModule&&) noexcept = default;
ScriptModule& ScriptModule::operator=(ScriptModule&&) noexcept = default;
ScriptModule::~ScriptModule() = default;

ScriptModule ScriptModule::load(const std::string& path, const OperatorLookups& libraries) {
  return ScriptModule(std::make_unique<Impl>(read_module(FileBytes::map(path), path, libraries)));
}

ScriptModule ScriptModule::load_bytes(std::string_view bytes, const OperatorLookups& libraries,
                                      const std::string& name) {
  return ScriptModule(std::make_unique<Impl>(read_module(FileBytes::copy(bytes), name, libraries)));
}

std::vector<std::string> ScriptModule::methods() const {
  const std::string prefix = impl_->prefix();
  std::vector<std::string> names;
  for (const auto& [name, function] : impl_->bytecode.functions) {
    if (name.starts_with(prefix) && name.find('.', prefix.size()) == std::string::npos) {
      names.push_back(name.substr(prefix.size()));
    }
  }
  return names;
}

DynamicValue ScriptModule::call(std::string_view method, std::vector<DynamicValue> arguments) {
  const auto found = impl_->bytecode.functions.find(impl_->prefix() + std::string(method));
  STRUCTURED_CHECK(found != impl_->bytecode.functions.end(), "expected a method of the module, got `", method, "`");
  const BytecodeFunction& function = found->second;
  arguments.insert(arguments.begin(), impl_->bytecode.module);
  for (std::size_t i = arguments.size(); i < function.parameters.size(); ++i) {
    const BytecodeFunction::Parameter& parameter = function.parameters[i];
    STRUCTURED_CHECK(parameter.has_default, method, ": expected the argument `", parameter.name, "`, got ",
                     arguments.size() - 1, " arguments");
    arguments.push_back(parameter.default_value);
  }
  STRUCTURED_CHECK(function.parameters.empty() || arguments.size() == function.parameters.size(), method, ": expected ",
                   function.parameters.size() - 1, " arguments, got ", arguments.size() - 1);
  return impl_->interpreter.call(function, std::move(arguments));
}

const DynamicValue& ScriptModule::attribute(std::string_view name) const {
  const program::DynamicObject& object = impl_->bytecode.module.to_object();
  const auto at = std::find(object.names.begin(), object.names.end(), name);
  STRUCTURED_CHECK(at != object.names.end(), "expected an attribute of the module, got `", name, "`");
  return object.attributes[static_cast<std::size_t>(at - object.names.begin())];
}

std::vector<std::string> ScriptModule::operators() const {
  std::set<std::string> names;
  for (const auto& [name, function] : impl_->bytecode.functions) {
    for (const program::BytecodeOperator& op : function.operators) names.insert(op.name);
  }
  return {names.begin(), names.end()};
}

bool program::is_script_module(const std::string& path) {
  const std::shared_ptr<FileBytes> file = FileBytes::map(path);
  return is_ptl_flatbuffer(file->view()) || !ptl_root(ZipArchive(file->view(), path)).empty();
}

}  // namespace structured
