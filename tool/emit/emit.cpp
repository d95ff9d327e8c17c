#include "emit/emit.h"

#include <set>
#include <system_error>
#include <utility>

#include "emit/native/boxed.h"
#include "emit/file_set.h"
#include "emit/native/headers.h"
#include "emit/native/imports_source.h"
#include "emit/native/operators_index.h"
#include "lower/plan.h"
#include "emit/native/shared_bodies.h"
#include "emit/native/source_text.h"
#include "emit/native/tables.h"
#include "emit/native/wrappers.h"
#include "emit/writer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "model/library_json.h"

namespace structured::gen {
namespace {

using EmittedFiles = std::vector<std::pair<std::string, std::string>>;  // path, contents

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

llvm::Expected<Plan> checked_plan(const Library& library, const CppTypes& cpp_types, const EmitOptions& options) {
  for (const std::string& source : options.sources) {
    if (llvm::Error error = check_source(source)) {
      return error;
    }
  }
  llvm::Expected<Plan> plan = make_plan(library, cpp_types, options.sources);
  if (!plan) {
    return plan.takeError();
  }
  const std::set<std::string> known(options.sources.begin(), options.sources.end());
  for (const auto& [source, planned] : plan->sources) {
    if (known.count(source) == 0) {
      return llvm::createStringError(std::errc::invalid_argument,
                                     "operators have kernels in `%s`, which is none of the given sources",
                                     source.c_str());
    }
  }
  return plan;
}

EmittedFiles cpp_files(const Plan& plan, const EmitOptions& options) {
  EmittedFiles files;
  const std::string include = "include/" + plan.include_prefix + "/";
  files.emplace_back(include + "export.h", export_header(plan));
  files.emplace_back(include + "find_operator.h", find_operator_header(plan));
  files.emplace_back(include + "operators.h", operators_header(plan));
  for (auto& [path, contents] : ops_headers(plan)) {
    files.emplace_back("include/" + path, std::move(contents));
  }
  files.emplace_back("operators.cpp", operators_source(plan, options.boxed));
  if (options.has_imports) {
    files.emplace_back("imports.cpp", imports_source(plan));
  }
  const SharedBodies shared(plan);
  files.emplace_back("shared_bodies.cpp", shared.source_for_many(plan));
  for (const std::string& source : std::set<std::string>(options.sources.begin(), options.sources.end())) {
    EmittedSources paths = emitted_sources(source);
    files.emplace_back(std::move(paths.wrappers), wrappers_source(plan, shared, source));
    files.emplace_back(std::move(paths.tables), tables_source(plan, source, options.boxed));
    files.emplace_back(std::move(paths.boxed),
                       options.boxed ? boxed_source(plan, source) : nothing_from(source, "operators with boxed calls"));
  }
  return files;
}

}  // namespace

EmittedSources emitted_sources(llvm::StringRef kernel_source) {
  kernel_source.consume_back(".cpp");
  const std::string stem = ("src/" + kernel_source).str();
  return {stem + ".cpp", stem + ".tables.cpp", stem + ".boxed.cpp"};
}

llvm::Error emit(const Library& library, const Target& target, const EmitOptions& options) {
  const auto begin_step = [&](const char* step) {
    if (options.on_step) {
      options.on_step(step);
    }
  };
  begin_step("make files");
  EmittedFiles emitted{
      {"operators.json", to_json(library)},
      {"include/" + joined_scopes(library.cpp_namespace, "/") + "/signatures.json", options.signatures}};
  if (const CppTypes* cpp_types = target.cpp_types()) {
    llvm::Expected<Plan> plan = checked_plan(library, *cpp_types, options);
    if (!plan) {
      return plan.takeError();
    }
    llvm::append_range(emitted, cpp_files(*plan, options));
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

llvm::Expected<std::string> emitted_wrapper(const Library& library, const Target& target,
                                            llvm::StringRef operator_name) {
  const CppTypes* cpp_types = target.cpp_types();
  if (cpp_types == nullptr) {
    return llvm::createStringError(std::errc::invalid_argument, "no C++ is emitted for the dialect `%s`",
                                   target.name().str().c_str());
  }
  llvm::Expected<Plan> plan = make_plan(library, *cpp_types, {});
  if (!plan) {
    return plan.takeError();
  }
  for (const PlannedVariant& planned : plan->variants) {
    if (to_string(planned.variant->schema.name) == operator_name || planned.full_name == operator_name) {
      Writer writer;
      std::set<std::string> declared;
      for (const std::size_t index : planned.wrappers) {
        const PlannedWrapper& wrapper = plan->wrappers[index];
        if (wrapper.is_kernel_itself) {
          writer.blank();
          writer.comment("//", planned.schema);
          writer.comment("//", "No wrapper is emitted: the dispatcher calls " + wrapper.name + " itself.");
        } else {
          write_wrapper_and_globals(writer, *plan, wrapper, SharedBodies(), declared);
        }
      }
      return writer.text();
    }
  }
  return llvm::createStringError(std::errc::invalid_argument, "the library has no operator `%s` with emitted wrappers",
                                 operator_name.str().c_str());
}

}  // namespace structured::gen
