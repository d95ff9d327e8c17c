#include "emit/native/cuda_source.h"

#include <set>
#include <vector>

#include "emit/native/pointwise.h"
#include "emit/native/source_text.h"
#include "emit/writer.h"
#include "llvm/ADT/STLExtras.h"

namespace structured::gen {
namespace {

// The scalar function as a structure: nvcc has no lambda expressions for devices in templates.
void write_structure(Writer& writer, const PointwiseKernel& kernel) {
  const std::string& type = kernel.type_parameter;
  std::vector<std::string> elements;
  std::vector<std::string> arguments;
  for (const PointwiseKernel::Parameter& parameter : kernel.parameters) {
    arguments.push_back(parameter.name);
    if (parameter.is_element) {
      elements.push_back((parameter.is_boolean ? "bool " : type + " ") + parameter.name);
    }
  }
  const Writer::Scope scope = writer.in_namespace("");
  writer.line("template <class " + type + ">");
  const Writer::Scope structure = writer.block("struct " + kernel.function + " {", "};");
  for (const std::string& member : captured_members(kernel)) {
    writer.line(member);
  }
  writer.blank();
  const Writer::Scope body =
      writer.block("__device__ " + (kernel.is_boolean ? "bool" : type) + " operator()(", elements, ") const {");
  writer.list("return " + kernel.scalar_function + "<" + type + ">(", arguments, ");");
}

}  // namespace

std::string cuda_source(const LoweredLibrary& lowered, llvm::StringRef source) {
  std::vector<const PointwiseKernel*> kernels;
  std::set<std::string> headers{"<structured/cuda/loops.cuh>", "<optional>"};
  if (const auto found = lowered.sources.find(source.str()); found != lowered.sources.end()) {
    for (const std::size_t index : pointwise_variants(lowered, found->second)) {
      const LoweredVariant& variant = lowered.variants[index];
      for (const PointwiseKernel& kernel : variant.pointwise->kernels) {
        if (kernel.backend != "CUDA") continue;
        kernels.push_back(&kernel);
        headers.insert(include_spelling(variant.op->pointwise->function.range.file));
      }
    }
  }
  if (kernels.empty()) {
    return nothing_from(source, "scalar functions for CUDA");
  }
  Writer writer;
  write_banner(writer, source);
  writer.blank();
  writer.line("#include <structured/cuda/tables_only.cuh>  // the first, since it sets options of the compiler");
  write_includes(writer, headers);
  {
    const Writer::Scope scope = writer.in_namespace(lowered.hidden_namespace);
    for (const PointwiseKernel* kernel : kernels) {
      writer.blank();
      write_structure(writer, *kernel);
      writer.blank();
      const std::string table = "const ::structured::cuda::PointwiseTable " + table_name(*kernel);
      writer.line("extern " + table + ";");
      writer.list(table + " = ::structured::cuda::pointwise_table<",
                  {type_set(kernel->dtypes), std::string("/*widens=*/") + (kernel->uses_opmath ? "true" : "false"),
                   kernel->function},
                  ">();");
    }
  }
  return writer.text();
}

}  // namespace structured::gen
