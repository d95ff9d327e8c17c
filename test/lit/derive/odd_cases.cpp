// Functions whose schemas are easy to get wrong, spelled with PyTorch's own types: ATen's text comes out, byte for byte.
// RUN: %structured_gen scan --dialect=aten -o %t.json %s -- -std=c++20 -I%S/Inputs -I%runtime
// RUN: %structured_gen list %t.json | FileCheck --match-full-lines %s
#include "aten_mock.h"

namespace at {

[[structured::meta("max.dim", "max.dim_max"), structured::returns("values", "indices")]]
void max_dim__meta(at::impl::MetaBase& op, const at::Tensor& self, int64_t dim, bool keepdim = false);
[[structured::impl("max.dim_max", "CPU")]]
void max_out__CPU(at::impl::MetaBase& op, const at::Tensor& self, int64_t dim, bool keepdim, const at::Tensor& max,
                  const at::Tensor& max_values);
[[structured::impl("max.dim_max", "CUDA")]]
void max_out__CUDA(at::impl::MetaBase& op, const at::Tensor& self, int64_t dim, bool keepdim, const at::Tensor& max,
                   const at::Tensor& max_values);

[[structured::meta("nll_loss_forward", "nll_loss_forward.output"),
  structured::returns("nll_loss_forward", "output", "total_weight")]]
void nll_loss_forward__meta(at::impl::MetaBase& op, const at::Tensor& self, const at::Tensor& target,
                            at::OptionalTensorRef weight, int64_t reduction, int64_t ignore_index);
[[structured::impl("nll_loss_forward.output", "CPU")]]
void nll_loss_forward_out__CPU(at::impl::MetaBase& op, const at::Tensor& self, const at::Tensor& target,
                               at::OptionalTensorRef weight, int64_t reduction, int64_t ignore_index,
                               const at::Tensor& output, const at::Tensor& total_weight);
[[structured::impl("nll_loss_forward.output", "CUDA")]]
void nll_loss_forward_out__CUDA(at::impl::MetaBase& op, const at::Tensor& self, const at::Tensor& target,
                                at::OptionalTensorRef weight, int64_t reduction, int64_t ignore_index,
                                const at::Tensor& output, const at::Tensor& total_weight);

[[structured::kernel("_fused_adam_", "CUDA")]]
void _fused_adam_([[structured::alias("a!")]] at::TensorList self, [[structured::alias("a!")]] at::TensorList grads,
                  [[structured::alias("a!")]] at::TensorList exp_avgs,
                  [[structured::alias("a!")]] at::TensorList exp_avg_sqs,
                  [[structured::alias("a!")]] at::TensorList max_exp_avg_sqs, at::TensorList state_steps,
                  [[structured::kwonly]] double lr, double beta1, double beta2, double weight_decay, double eps,
                  bool amsgrad, bool maximize, const c10::optional<at::Tensor>& grad_scale = {},
                  const c10::optional<at::Tensor>& found_inf = {});

[[structured::kernel("_foreach_add_.Scalar", "CPU", "CUDA")]]
void _foreach_add__Scalar([[structured::alias("a!")]] at::TensorList self, const at::Scalar& scalar);

[[structured::kernel("split_copy.Tensor_out", "CompositeExplicitAutograd"), structured::out]]
void split_copy_out_Tensor_out(const at::Tensor& self, int64_t split_size,
                               [[structured::schema_default("0")]] int64_t dim,
                               [[structured::alias("a!")]] at::TensorList out);

[[structured::composite("__and__.Tensor")]]
at::Tensor __and___Tensor(const at::Tensor& self, const at::Tensor& other);

[[structured::composite("__iand__.Tensor")]]
at::Tensor& __iand___Tensor(at::Tensor& self, const at::Tensor& other);

[[structured::kernel("relu_", "CPU", "CUDA", "NestedTensorCPU", "NestedTensorCUDA", "MPS", "MkldnnCPU", "QuantizedCPU",
                     "QuantizedCUDA")]]
at::Tensor& relu_(at::Tensor& self);

[[structured::kernel("_amp_update_scale_", "CUDA")]]
at::Tensor& _amp_update_scale_(at::Tensor& self, at::Tensor& growth_tracker, const at::Tensor& found_inf,
                               double scale_growth_factor, double scale_backoff_factor, int64_t growth_interval);

[[structured::meta("max_pool2d_with_indices", "max_pool2d_with_indices.out")]]
void max_pool2d_with_indices__meta(at::impl::MetaBase& op, const at::Tensor& self,
                                   [[structured::size(2)]] at::IntArrayRef kernel_size,
                                   [[structured::size(2)]] at::IntArrayRef stride = {},
                                   [[structured::size(2)]] at::IntArrayRef padding = 0,
                                   [[structured::size(2)]] at::IntArrayRef dilation = 1, bool ceil_mode = false);
[[structured::impl("max_pool2d_with_indices.out", "CPU")]]
void max_pool2d_with_indices_out__CPU(at::impl::MetaBase& op, const at::Tensor& self, at::IntArrayRef kernel_size,
                                      at::IntArrayRef stride, at::IntArrayRef padding, at::IntArrayRef dilation,
                                      bool ceil_mode, const at::Tensor& out, const at::Tensor& indices);
[[structured::impl("max_pool2d_with_indices.out", "CUDA")]]
void max_pool2d_with_indices_out__CUDA(at::impl::MetaBase& op, const at::Tensor& self, at::IntArrayRef kernel_size,
                                       at::IntArrayRef stride, at::IntArrayRef padding, at::IntArrayRef dilation,
                                       bool ceil_mode, const at::Tensor& out, const at::Tensor& indices);

[[structured::kernel("split.Tensor", "CompositeExplicitAutograd")]]
::std::vector<at::Tensor> split_Tensor([[structured::alias("a -> *")]] const at::Tensor& self, int64_t split_size,
                                       int64_t dim = 0);

[[structured::composite("_unpack_dual"), structured::returns("primal", "tangent")]]
::std::tuple<at::Tensor, at::Tensor> _unpack_dual([[structured::alias("a")]] const at::Tensor& dual, int64_t level);

[[structured::composite("chunk")]]
::std::vector<at::Tensor> chunk([[structured::alias("a -> *")]] const at::Tensor& self, int64_t chunks,
                                int64_t dim = 0);

[[structured::meta("upsample_nearest1d", "upsample_nearest1d.out")]]
void upsample_nearest1d__meta(at::impl::MetaBase& op, const at::Tensor& self,
                              [[structured::size(1), structured::symint]] at::ArrayRef<int64_t> output_size,
                              c10::optional<double> scales = c10::nullopt);
[[structured::impl("upsample_nearest1d.out", "CPU")]]
void upsample_nearest1d_out__CPU(at::impl::MetaBase& op, const at::Tensor& self, at::ArrayRef<int64_t> output_size,
                                 c10::optional<double> scales, const at::Tensor& out);
[[structured::impl("upsample_nearest1d.out", "CUDA")]]
void upsample_nearest1d_out__CUDA(at::impl::MetaBase& op, const at::Tensor& self, at::ArrayRef<int64_t> output_size,
                                  c10::optional<double> scales, const at::Tensor& out);

[[structured::meta("clamp", "clamp_", "clamp.out")]]
void clamp__meta(at::TensorIteratorBase& op, const at::Tensor& self, at::OptionalScalarRef min = {},
                 at::OptionalScalarRef max = {});
[[structured::impl("clamp.out", "CPU")]]
void clamp_out__CPU(at::TensorIteratorBase& op, const at::Tensor& self, at::OptionalScalarRef min,
                    at::OptionalScalarRef max, const at::Tensor& out);
[[structured::impl("clamp.out", "CUDA")]]
void clamp_out__CUDA(at::TensorIteratorBase& op, const at::Tensor& self, at::OptionalScalarRef min,
                     at::OptionalScalarRef max, const at::Tensor& out);

[[structured::kernel("addr.out", "CompositeExplicitAutograd", "CPU", "CUDA")]]
at::Tensor& addr_out_out(const at::Tensor& self, const at::Tensor& vec1, const at::Tensor& vec2,
                         [[structured::kwonly, structured::schema_default("1")]] const at::Scalar& beta,
                         [[structured::schema_default("1")]] const at::Scalar& alpha, at::Tensor& out);

[[structured::kernel("empty.memory_format", "CPU", "CUDA", "SparseCPU", "SparseCUDA", "SparseCsrCPU", "SparseCsrCUDA",
                     "MPS", "Meta", "MkldnnCPU", "QuantizedCPU", "QuantizedCUDA", "SparseMeta", "QuantizedMeta")]]
at::Tensor empty_memory_format(c10::SymIntArrayRef size,
                               [[structured::kwonly]] c10::optional<at::ScalarType> dtype = c10::nullopt,
                               c10::optional<at::Layout> layout = c10::nullopt,
                               c10::optional<at::Device> device = c10::nullopt,
                               c10::optional<bool> pin_memory = c10::nullopt,
                               c10::optional<at::MemoryFormat> memory_format = c10::nullopt);

[[structured::composite("conv2d")]]
at::Tensor conv2d(const at::Tensor& input, const at::Tensor& weight, const c10::optional<at::Tensor>& bias = {},
                  [[structured::size(2)]] at::IntArrayRef stride = 1,
                  [[structured::size(2)]] at::IntArrayRef padding = 0,
                  [[structured::size(2)]] at::IntArrayRef dilation = 1, int64_t groups = 1);

[[structured::composite("norm.names_ScalarOpt_dim")]]
at::Tensor norm_names_ScalarOpt_dim(const at::Tensor& self, const c10::optional<at::Scalar>& p,
                                    [[structured::size(1)]] at::DimnameList dim, bool keepdim = false);

[[structured::meta("index.Tensor", "index.Tensor_out")]]
void index_Tensor__meta(at::TensorIteratorBase& op, const at::Tensor& self, at::IOptTensorListRef indices);
[[structured::impl("index.Tensor_out", "CPU")]]
void index_out__CPU(at::TensorIteratorBase& op, const at::Tensor& self, at::IOptTensorListRef indices,
                    const at::Tensor& out);
[[structured::impl("index.Tensor_out", "CUDA")]]
void index_out__CUDA(at::TensorIteratorBase& op, const at::Tensor& self, at::IOptTensorListRef indices,
                     const at::Tensor& out);

[[structured::composite("to.dtype")]]
at::Tensor to_dtype([[structured::alias("a")]] const at::Tensor& self, at::ScalarType dtype, bool non_blocking = false,
                    bool copy = false, c10::optional<at::MemoryFormat> memory_format = c10::nullopt);

[[structured::composite("lstm.input")]]
::std::tuple<at::Tensor, at::Tensor, at::Tensor> lstm_input(const at::Tensor& input, at::TensorList hx,
                                                            at::TensorList params, bool has_biases, int64_t num_layers,
                                                            double dropout, bool train, bool bidirectional,
                                                            bool batch_first);

[[structured::kernel("qscheme", "QuantizedCPU", "QuantizedCUDA")]]
at::QScheme qscheme(const at::Tensor& self);

[[structured::kernel("q_per_channel_scales", "QuantizedCPU", "QuantizedCUDA")]]
at::Tensor q_per_channel_scales(const at::Tensor& self);

[[structured::kernel("unbind.int", "CompositeExplicitAutograd", "CompositeImplicitAutogradNestedTensor")]]
::std::vector<at::Tensor> unbind_int([[structured::alias("a -> *")]] const at::Tensor& self, int64_t dim = 0);

[[structured::kernel("rand.generator_with_names", "CompositeExplicitAutograd")]]
at::Tensor rand_generator_with_names(at::IntArrayRef size,
                                     [[structured::kwonly]] c10::optional<at::Generator> generator,
                                     c10::optional<at::DimnameList> names,
                                     c10::optional<at::ScalarType> dtype = c10::nullopt,
                                     c10::optional<at::Layout> layout = c10::nullopt,
                                     c10::optional<at::Device> device = c10::nullopt,
                                     c10::optional<bool> pin_memory = c10::nullopt);

[[structured::composite("linalg_pinv")]]
at::Tensor linalg_pinv(const at::Tensor& self, double rcond, bool hermitian = false);

[[structured::kernel("upsample_nearest2d.vec", "CompositeExplicitAutograd")]]
at::Tensor upsample_nearest2d_vec(const at::Tensor& input, at::OptionalSymIntArrayRef output_size,
                                  c10::optional<at::ArrayRef<double>> scale_factors);

[[structured::composite("item")]]
at::Scalar item(const at::Tensor& self);

[[structured::kernel("set_.source_Storage", "CPU", "CUDA", "MPS", "Meta")]]
at::Tensor& set__source_Storage(at::Tensor& self, at::Storage source);

[[structured::composite("_convolution_double_backward")]]
::std::tuple<at::Tensor, at::Tensor, at::Tensor> _convolution_double_backward(
    const c10::optional<at::Tensor>& ggI, const c10::optional<at::Tensor>& ggW, const c10::optional<at::Tensor>& ggb,
    const at::Tensor& gO, const at::Tensor& weight, const at::Tensor& self, at::IntArrayRef stride,
    at::IntArrayRef padding, at::IntArrayRef dilation, bool transposed, at::IntArrayRef output_padding, int64_t groups,
    ::std::array<bool, 3> output_mask);

[[structured::composite("conv1d")]]
at::Tensor conv1d(const at::Tensor& input, const at::Tensor& weight, const c10::optional<at::Tensor>& bias = {},
                  [[structured::size(1)]] at::IntArrayRef stride = 1,
                  [[structured::size(1)]] at::IntArrayRef padding = 0,
                  [[structured::size(1)]] at::IntArrayRef dilation = 1, int64_t groups = 1);

[[structured::kernel("searchsorted.Scalar", "CPU", "CUDA")]]
at::Tensor searchsorted_Scalar(const at::Tensor& sorted_sequence, const at::Scalar& self,
                               [[structured::kwonly]] bool out_int32 = false, bool right = false,
                               c10::optional<c10::string_view> side = c10::nullopt,
                               const c10::optional<at::Tensor>& sorter = {});

[[structured::meta("addmv", "addmv_", "addmv.out")]]
void addmv__meta(at::impl::MetaBase& op, const at::Tensor& self, const at::Tensor& mat, const at::Tensor& vec,
                 [[structured::kwonly]] const at::Scalar& beta = 1, const at::Scalar& alpha = 1);
[[structured::impl("addmv.out", "CPU")]]
void addmv_out__CPU(at::impl::MetaBase& op, const at::Tensor& self, const at::Tensor& mat, const at::Tensor& vec,
                    const at::Scalar& beta, const at::Scalar& alpha, const at::Tensor& out);
[[structured::impl("addmv.out", "CUDA")]]
void addmv_out__CUDA(at::impl::MetaBase& op, const at::Tensor& self, const at::Tensor& mat, const at::Tensor& vec,
                     const at::Scalar& beta, const at::Scalar& alpha, const at::Tensor& out);

[[structured::meta("cat", "cat.out")]]
void cat__meta(at::impl::MetaBase& op, const at::ITensorListRef& tensors, int64_t dim = 0);
[[structured::impl("cat.out", "CPU")]]
void cat_out__CPU(at::impl::MetaBase& op, const at::ITensorListRef& tensors, int64_t dim, const at::Tensor& out);
[[structured::impl("cat.out", "CUDA")]]
void cat_out__CUDA(at::impl::MetaBase& op, const at::ITensorListRef& tensors, int64_t dim, const at::Tensor& out);

[[structured::meta("index_add", "index_add_", "index_add.out")]]
void index_add__meta(at::impl::MetaBase& op, const at::Tensor& self, int64_t dim, const at::Tensor& index,
                     const at::Tensor& source, [[structured::kwonly]] const at::Scalar& alpha = 1);
[[structured::impl("index_add.out", "CPU")]]
void index_add_out__CPU(at::impl::MetaBase& op, const at::Tensor& self, int64_t dim, const at::Tensor& index,
                        const at::Tensor& source, const at::Scalar& alpha, const at::Tensor& out);
[[structured::impl("index_add.out", "CUDA")]]
void index_add_out__CUDA(at::impl::MetaBase& op, const at::Tensor& self, int64_t dim, const at::Tensor& index,
                         const at::Tensor& source, const at::Scalar& alpha, const at::Tensor& out);

[[structured::composite("_batch_norm_impl_index")]]
::std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor, int64_t> _batch_norm_impl_index(
    const at::Tensor& input, const c10::optional<at::Tensor>& weight, const c10::optional<at::Tensor>& bias,
    const c10::optional<at::Tensor>& running_mean, const c10::optional<at::Tensor>& running_var, bool training,
    double momentum, double eps, bool cudnn_enabled);

[[structured::kernel("unique_consecutive", "CPU", "CUDA")]]
::std::tuple<at::Tensor, at::Tensor, at::Tensor> unique_consecutive(const at::Tensor& self, bool return_inverse = false,
                                                                    bool return_counts = false,
                                                                    c10::optional<int64_t> dim = c10::nullopt);

[[structured::composite("pad")]]
at::Tensor pad(const at::Tensor& self, at::IntArrayRef pad, c10::string_view mode = "constant",
               c10::optional<double> value = c10::nullopt);

}  // namespace at

// CHECK: __and__.Tensor(Tensor self, Tensor other) -> Tensor
// CHECK-NEXT: __iand__.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)
// CHECK-NEXT: _amp_update_scale_(Tensor(a!) self, Tensor(b!) growth_tracker, Tensor found_inf, float scale_growth_factor, float scale_backoff_factor, int growth_interval) -> Tensor(a!)
// CHECK-NEXT: _batch_norm_impl_index(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool training, float momentum, float eps, bool cudnn_enabled) -> (Tensor, Tensor, Tensor, Tensor, int)
// CHECK-NEXT: _convolution_double_backward(Tensor? ggI, Tensor? ggW, Tensor? ggb, Tensor gO, Tensor weight, Tensor self, int[] stride, int[] padding, int[] dilation, bool transposed, int[] output_padding, int groups, bool[3] output_mask) -> (Tensor, Tensor, Tensor)
// CHECK-NEXT: _foreach_add_.Scalar(Tensor(a!)[] self, Scalar scalar) -> ()
// CHECK-NEXT: _fused_adam_(Tensor(a!)[] self, Tensor(b!)[] grads, Tensor(c!)[] exp_avgs, Tensor(d!)[] exp_avg_sqs, Tensor(e!)[] max_exp_avg_sqs, Tensor[] state_steps, *, float lr, float beta1, float beta2, float weight_decay, float eps, bool amsgrad, bool maximize, Tensor? grad_scale=None, Tensor? found_inf=None) -> ()
// CHECK-NEXT: _unpack_dual(Tensor(a) dual, int level) -> (Tensor(a) primal, Tensor tangent)
// CHECK-NEXT: addmv(Tensor self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1) -> Tensor
// CHECK-NEXT: addmv.out(Tensor self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)
// CHECK-NEXT: addmv_(Tensor(a!) self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1) -> Tensor(a!)
// CHECK-NEXT: addr.out(Tensor self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)
// CHECK-NEXT: cat(Tensor[] tensors, int dim=0) -> Tensor
// CHECK-NEXT: cat.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!)
// CHECK-NEXT: chunk(Tensor(a -> *) self, int chunks, int dim=0) -> Tensor(a)[]
// CHECK-NEXT: clamp(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor
// CHECK-NEXT: clamp.out(Tensor self, Scalar? min=None, Scalar? max=None, *, Tensor(a!) out) -> Tensor(a!)
// CHECK-NEXT: clamp_(Tensor(a!) self, Scalar? min=None, Scalar? max=None) -> Tensor(a!)
// CHECK-NEXT: conv1d(Tensor input, Tensor weight, Tensor? bias=None, int[1] stride=1, int[1] padding=0, int[1] dilation=1, int groups=1) -> Tensor
// CHECK-NEXT: conv2d(Tensor input, Tensor weight, Tensor? bias=None, int[2] stride=1, int[2] padding=0, int[2] dilation=1, int groups=1) -> Tensor
// CHECK-NEXT: empty.memory_format(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor
// CHECK-NEXT: index.Tensor(Tensor self, Tensor?[] indices) -> Tensor
// CHECK-NEXT: index.Tensor_out(Tensor self, Tensor?[] indices, *, Tensor(a!) out) -> Tensor(a!)
// CHECK-NEXT: index_add(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1) -> Tensor
// CHECK-NEXT: index_add.out(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)
// CHECK-NEXT: index_add_(Tensor(a!) self, int dim, Tensor index, Tensor source, *, Scalar alpha=1) -> Tensor(a!)
// CHECK-NEXT: item(Tensor self) -> Scalar
// CHECK-NEXT: linalg_pinv(Tensor self, float rcond, bool hermitian=False) -> Tensor
// CHECK-NEXT: lstm.input(Tensor input, Tensor[] hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, Tensor, Tensor)
// CHECK-NEXT: max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)
// CHECK-NEXT: max.dim_max(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) max, Tensor(b!) max_values) -> (Tensor(a!) values, Tensor(b!) indices)
// CHECK-NEXT: max_pool2d_with_indices(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] dilation=1, bool ceil_mode=False) -> (Tensor, Tensor)
// CHECK-NEXT: max_pool2d_with_indices.out(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] dilation=1, bool ceil_mode=False, *, Tensor(a!) out, Tensor(b!) indices) -> (Tensor(a!), Tensor(b!))
// CHECK-NEXT: nll_loss_forward(Tensor self, Tensor target, Tensor? weight, int reduction, int ignore_index) -> (Tensor output, Tensor total_weight)
// CHECK-NEXT: nll_loss_forward.output(Tensor self, Tensor target, Tensor? weight, int reduction, int ignore_index, *, Tensor(a!) output, Tensor(b!) total_weight) -> (Tensor(a!), Tensor(b!))
// CHECK-NEXT: norm.names_ScalarOpt_dim(Tensor self, Scalar? p, Dimname[1] dim, bool keepdim=False) -> Tensor
// CHECK-NEXT: pad(Tensor self, int[] pad, str mode="constant", float? value=None) -> Tensor
// CHECK-NEXT: q_per_channel_scales(Tensor self) -> Tensor
// CHECK-NEXT: qscheme(Tensor self) -> QScheme
// CHECK-NEXT: rand.generator_with_names(int[] size, *, Generator? generator, Dimname[]? names, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor
// CHECK-NEXT: relu_(Tensor(a!) self) -> Tensor(a!)
// CHECK-NEXT: searchsorted.Scalar(Tensor sorted_sequence, Scalar self, *, bool out_int32=False, bool right=False, str? side=None, Tensor? sorter=None) -> Tensor
// CHECK-NEXT: set_.source_Storage(Tensor(a!) self, Storage source) -> Tensor(a!)
// CHECK-NEXT: split.Tensor(Tensor(a -> *) self, int split_size, int dim=0) -> Tensor(a)[]
// CHECK-NEXT: split_copy.Tensor_out(Tensor self, int split_size, int dim=0, *, Tensor(a!)[] out) -> ()
// CHECK-NEXT: to.dtype(Tensor(a) self, ScalarType dtype, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a)
// CHECK-NEXT: unbind.int(Tensor(a -> *) self, int dim=0) -> Tensor(a)[]
// CHECK-NEXT: unique_consecutive(Tensor self, bool return_inverse=False, bool return_counts=False, int? dim=None) -> (Tensor, Tensor, Tensor)
// CHECK-NEXT: upsample_nearest1d(Tensor self, SymInt[1] output_size, float? scales=None) -> Tensor
// CHECK-NEXT: upsample_nearest1d.out(Tensor self, SymInt[1] output_size, float? scales=None, *, Tensor(a!) out) -> Tensor(a!)
// CHECK-NEXT: upsample_nearest2d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors) -> Tensor
