#include "emit/native/cuda_source.h"

#include <set>
#include <vector>

#include "emit/cpp/scalar_kernels.h"
#include "emit/cpp/source_text.h"
#include "emit/native/pointwise.h"
#include "emit/writer.h"
#include "llvm/ADT/STLExtras.h"

namespace structured::gen {
std::string cuda_source(const LoweredLibrary& lowered, llvm::StringRef source) {
  std::vector<const PointwiseKernel*> kernels;
  std::set<std::string> headers{"<structured/cuda/loops.cuh>", "<optional>"};
  if (const auto found = lowered.sources.find(source.str()); found != lowered.sources.end()) {
    for (const std::size_t index : pointwise_variants(lowered, found->second)) {
      const LoweredVariant& variant = lowered.variants[index];
      for (const PointwiseKernel& kernel : variant.pointwise->kernels) {
        if (!kernel.is_device_code) continue;
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
      write_element_structure(writer, *kernel, kernel->function, declared_elements(*kernel),
                              [&] { write_scalar_call(writer, *kernel); });
      writer.blank();
      const std::string table = "const ::structured::cuda::PointwiseTable " + table_name(*kernel);
      writer.line("extern " + table + ";");
      writer.list(table + " = ::structured::cuda::pointwise_table<",
                  {type_set(kernel->dtypes), flag_argument("widens", kernel->uses_opmath), kernel->function}, ">();");
    }
  }
  return writer.text();
}

}  // namespace structured::gen
