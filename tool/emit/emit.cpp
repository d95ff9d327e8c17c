#include "emit/emit.h"

#include <set>
#include <system_error>
#include <utility>

#include "emit/file_set.h"
#include "emit/python/bindings.h"
#include "emit/python/decomposition_text.h"
#include "emit/python/layer_text.h"
#include "emit/python/shape_text.h"
#include "emit/python/sharding_text.h"
#include "emit/python/stubs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "lower/lowered_library.h"
#include "model/library_json.h"

namespace structured::gen {
namespace {

// Emitted paths mirror those of sources, so these must be relative and stay below the source root.
llvm::Error check_source(llvm::StringRef source) {
  llvm::SmallVector<llvm::StringRef> parts;
  source.split(parts, '/');
  if (source.empty() || llvm::sys::path::is_absolute(source) || llvm::is_contained(parts, "..")) {
    return llvm::createStringError(std::errc::invalid_argument,
                                   "source `%s` is not below the source root: scan it with a `--source-root` above it",
                                   source.str().c_str());
  }
  return llvm::Error::success();
}

llvm::Expected<LoweredLibrary> lower_checked(const Library& library, const Dialect& dialect, const Target& target,
                                             const EmitOptions& emit_options) {
  const std::vector<std::string>& sources = emit_options.sources;
  for (const std::string& source : sources) {
    if (llvm::Error error = check_source(source)) {
      return error;
    }
  }
  LowerOptions options = lower_options(&target);
  options.sources = sources;
  options.is_checked = emit_options.is_checked;
  options.flavour = emit_options.flavour;
  options.backends = emit_options.backends;
  options.selected = emit_options.selected;
  llvm::Expected<LoweredLibrary> lowered = lower(library, *dialect.cpp_types(), options);
  if (!lowered) {
    return lowered.takeError();
  }
  const std::set<std::string> known(sources.begin(), sources.end());
  for (const auto& [source, contents] : lowered->sources) {
    if (known.count(source) == 0) {
      return llvm::createStringError(std::errc::invalid_argument,
                                     "operators have kernels in `%s`, which is not among the given sources",
                                     source.c_str());
    }
  }
  return lowered;
}

llvm::Error write_all(EmittedFiles emitted, const std::string& directory) {
  FileSet files(directory);
  for (auto& [path, contents] : emitted) {
    if (llvm::Error error = files.add(path, std::move(contents))) return error;
  }
  return files.write();
}

bool is_for_torch(const Library& library) {
  const Dialect* dialect = find_dialect(library.dialect);
  return dialect != nullptr && dialect->cpp_types() != nullptr &&
         !dialect->cpp_types()->wrapper_traits().has_python_modules;
}

}  // namespace

llvm::Error emit(const Library& library, const Dialect& dialect, const EmitOptions& options) {
  return emit(library, dialect, default_target(dialect), options);
}

llvm::Error emit(const Library& library, const Dialect& dialect, const Target* target, const EmitOptions& options) {
  const auto begin_step = [&](const char* step) {
    if (options.on_step) {
      options.on_step(step);
    }
  };
  begin_step("make files");
  EmittedFiles emitted{
      {"operators.json", to_json(library)},
      {"include/" + joined_scopes(library.cpp_namespace, "/") + "/signatures.json", options.signatures}};
  if (target != nullptr) {
    llvm::Expected<LoweredLibrary> lowered = lower_checked(library, dialect, *target, options);
    if (!lowered) {
      return lowered.takeError();
    }
    llvm::append_range(emitted, target->printer.files(
                                    *lowered, {options.has_imports, options.has_cuda, options.boxed, options.on_note}));
  }
  begin_step("write what changed");
  FileSet files(options.output_dir);
  for (auto& [path, contents] : emitted) {
    if (llvm::Error error = files.add(path, std::move(contents))) {
      return error;
    }
  }
  if (!options.depfile.empty()) {
    if (llvm::Error error = files.add_elsewhere(options.depfile, options.depfile_text)) {
      return error;
    }
  }
  if (!options.outputs_file.empty()) {
    if (llvm::Error error = files.add_elsewhere(options.outputs_file, llvm::join(files.paths(), "\n") + "\n")) {
      return error;
    }
  }
  return files.write();
}

llvm::Error emit_python(const std::deque<Library>& libraries, const PythonOptions& options) {
  const bool is_package = llvm::any_of(libraries, is_for_torch);
  std::vector<LoweredLibrary> lowered;
  for (const Library& library : libraries) {
    const Dialect* dialect = find_dialect(library.dialect);
    if (dialect == nullptr || dialect->cpp_types() == nullptr || is_for_torch(library) != is_package) {
      return llvm::createStringError(std::errc::invalid_argument,
                                     "Python modules need libraries of the dialect `native`, and packages for PyTorch "
                                     "those of `torch` or `torch_stable`; that of `%s` is `%s`",
                                     library.schema_namespace.c_str(), library.dialect.c_str());
    }
    llvm::Expected<LoweredLibrary> result =
        lower(library, *dialect->cpp_types(), lower_options(default_target(*dialect)));
    if (!result) return result.takeError();
    lowered.push_back(std::move(*result));
  }
  llvm::Expected<std::vector<PythonFunction>> functions =
      python_functions(lowered, {.self_methods = options.self_methods, .own_namespace = is_package});
  if (!functions) return functions.takeError();
  if (is_package) {
    EmittedFiles emitted{{"__init__.pyi", torch_stubs(*functions)}, {"py.typed", ""}};
    for (const LoweredLibrary& library : lowered) {
      emitted.emplace_back("_shapes.py", torch_shapes(library));
      emitted.emplace_back("_sharding.py", torch_sharding(library));
      if (!library.has_python_layers) continue;
      emitted.emplace_back("_layers.py", torch_layers(library));
      emitted.emplace_back("_decompositions.py", torch_decompositions(library));
    }
    return write_all(std::move(emitted), options.output_dir);
  }
  EmittedFiles emitted{{"module.cpp", python_module_source(options.module, options.parts)},
                       {options.module + ".pyi", python_stubs(*functions)},
                       {options.module + "_docs.py", python_documentation(*functions)}};
  for (std::size_t part = 0; part < options.parts; ++part) {
    emitted.emplace_back("tables_" + std::to_string(part) + ".cpp",
                         python_tables_source(*functions, options.module, {part, options.parts}));
  }
  return write_all(std::move(emitted), options.output_dir);
}

llvm::Expected<std::string> emitted_wrapper(const Library& library, const Dialect& dialect,
                                            llvm::StringRef operator_name) {
  const Target* target = default_target(dialect);
  if (target == nullptr) {
    return llvm::createStringError(std::errc::invalid_argument, "no C++ is emitted for the dialect `%s`",
                                   dialect.name().str().c_str());
  }
  LowerOptions options = lower_options(target);
  options.shares_bodies = false;
  llvm::Expected<LoweredLibrary> lowered = lower(library, *dialect.cpp_types(), options);
  if (!lowered) {
    return lowered.takeError();
  }
  for (const LoweredVariant& variant : lowered->variants) {
    if (to_string(variant.derived->schema.name) == operator_name || variant.full_name == operator_name) {
      return target->printer.wrappers(*lowered, variant);
    }
  }
  return llvm::createStringError(std::errc::invalid_argument, "the library has no operator `%s` with emitted wrappers",
                                 operator_name.str().c_str());
}

}  // namespace structured::gen
