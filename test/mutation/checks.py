"""The checks that removed_checks.py removes, and the tests that must fail without each of them.

An entry has the name of the check, its file, the text of the check, the text to put in its place, and a GoogleTest
filter: at least one of these tests must fail. `sources` are the files to compile if that is not the file itself, as for
a header. A file that begins with `@` is emitted, in the build folder.
"""
import dataclasses


@dataclasses.dataclass
class Check:
    name: str
    file: str
    text: str
    instead: str
    program: str
    tests: str
    sources: tuple = ()


ADAPTORS = 'runtime/structured/kernel/adaptors.cpp'
FAST_BUILD = 'runtime/structured/iterator/fast_build.cpp'
FAST_BUILD_STRIDED = 'runtime/structured/iterator/fast_build_strided.cpp'
FAST_BUILD_OPERANDS = 'runtime/structured/iterator/fast_build.h'  # tests of operands that both share
DTYPE = 'runtime/structured/iterator/dtype.cpp'
BUILD = 'runtime/structured/iterator/build.cpp'
EMITTED = '@kernels/structured_kernels.gen/src/'


def in_kernel(name, file, text, instead, tests, sources=()):
    return Check(name, file, text, instead, 'runtime_kernel_test', tests, sources)


def in_iterator(name, file, text, instead, tests, sources=()):
    return Check(name, file, text, instead, 'runtime_iterator_test', tests, sources)


def in_operators(name, file, text, instead, tests, sources=()):
    return Check(name, file, text, instead, 'kernel_tests', tests, sources)


DEVICE = [
    in_kernel('device: tensors of one call', 'runtime/structured/kernel/guards.h',
              '((common ^ any) & TensorSignature::kDeviceBits) != 0', '((common ^ any) & 0) != 0',
              'CheckSameDevice.*', ('test/unit/runtime/kernel/guards_test.cpp',)),
    in_kernel('device: complete check', 'runtime/structured/kernel/guards.cpp',
              'STRUCTURED_CHECK(tensor.device() == first_->device(),', 'STRUCTURED_CHECK(true,', 'CheckSameDevice.*'),
    in_kernel('device: of out', ADAPTORS, 'STRUCTURED_CHECK(tensor.device() == options.device(),',
              'STRUCTURED_CHECK(true,', 'Out.*'),
    in_kernel('device: of self in place', ADAPTORS, 'STRUCTURED_CHECK(self.device() == options.device(),',
              'STRUCTURED_CHECK(true,', 'Inplace.*'),
    in_iterator('device: of operands', DTYPE, 'STRUCTURED_CHECK(is_cpu_scalar && config.allow_cpu_scalars_,',
                'STRUCTURED_CHECK(true,', 'Build.*'),
    in_iterator('device: at most one CPU scalar', DTYPE, 'STRUCTURED_CHECK(cpu_scalars <= 1,', 'STRUCTURED_CHECK(true,',
                'Build.*'),
    in_iterator('device: of dense operands', FAST_BUILD, 'impl->signature() == model->signature() &&', '', 'FastBuild.*'),
    in_iterator('device: of mixed operands', FAST_BUILD_OPERANDS,
                '((a.signature().word ^ b.signature().word) & ~TensorSignature::kDtypeBits) == 0 &&',
                'a.rank() == b.rank() &&', 'FastBuild.*', (FAST_BUILD, FAST_BUILD_STRIDED)),
    in_iterator('device: of operands in a grid', FAST_BUILD_STRIDED,
                '((first->signature().word ^ second->signature().word) & kind) != 0',
                '((first->signature().word ^ second->signature().word) & TensorSignature::kDtypeBits) != 0',
                'FastBuild.*'),
    in_iterator('device: of operands in two dimensions', FAST_BUILD_STRIDED,
                'if ((differences & TensorSignature::kDeviceBits) != 0) return false;', '', 'FastBuild.*'),
    in_operators('device: in an emitted wrapper', EMITTED + 'cpu/matmul.cpp',
                 '''::structured::check_same_device("mm.out", self, mat2, out);
  ::structured::check_refined''', '::structured::check_refined', 'Mm.*'),
]

DTYPES = [
    in_kernel('dtype: of out', ADAPTORS, 'STRUCTURED_CHECK(tensor.scalar_type() == options.dtype(),',
              'STRUCTURED_CHECK(true,', 'Out.*'),
    in_kernel('dtype: of self in place', ADAPTORS, 'STRUCTURED_CHECK(self.scalar_type() == options.dtype(),',
              'STRUCTURED_CHECK(true,', 'Inplace.*'),
    in_iterator('dtype: result casts to out', DTYPE, 'STRUCTURED_CHECK(can_cast(common_dtype_, op.dtype),',
                'STRUCTURED_CHECK(true,', 'Build.*'),
    in_iterator('dtype: equal for all operands', DTYPE, 'STRUCTURED_CHECK(dtype == expected,', 'STRUCTURED_CHECK(true,',
                '*'),
    in_iterator('dtype: of out of mixed operands', FAST_BUILD,
                '!is_common_and_contiguous(written) || written->dtype() != dtype ||',
                '!is_common_and_contiguous(written) ||', 'FastBuild.*'),
    in_iterator('dtype: of out in two dimensions', FAST_BUILD_STRIDED,
                'written->signature() == signature', 'written->rank() == signature.rank()', 'FastBuild.*'),
    in_iterator('dtype: of out of a comparison', FAST_BUILD,
                ' || written->dtype() != ScalarType::Bool ||\n        !are_alike', ' ||\n        !are_alike', 'FastBuild.*'),
]

OVERLAP = [
    in_kernel('overlap: of out with itself', ADAPTORS, '  assert_no_internal_overlap(out);\n', '', 'Out.*'),
    in_kernel('overlap: of self with itself', ADAPTORS, '  assert_no_internal_overlap(self);\n', '', 'Inplace.*'),
    in_kernel('overlap: of outputs', ADAPTORS,
              'if (found == Overlap::full || found == Overlap::partial)', 'if (found == Overlap::undecided)', 'OutOfTwo.*'),
    in_kernel('overlap: of tensors with gaps', 'runtime/structured/kernel/overlap.cpp', 'return CommonMemory(a, b).find();',
              'return Overlap::undecided;', 'Overlap.*'),
    in_kernel('overlap: of outputs of a kernel', 'runtime/structured/kernel/outputs.h',
              'if constexpr (kCanBeSeveral) check_earlier(output, place++);', '++place;', 'Outputs.*'),
    in_operators('overlap: of out with an input', ADAPTORS, 'assert_no_overlap(output, input);', '', 'Mm.*'),
    in_kernel('overlap: of out with an input that may be out', ADAPTORS, 'assert_no_partial_overlap(output, input);',
              '', 'Out.*'),
    in_iterator('overlap: of an operand with itself', BUILD, '    assert_no_internal_overlap(written);\n', '', 'Build.*'),
    in_iterator('overlap: of operands', BUILD, 'assert_no_partial_overlap(written, tensor(j));', '{}', 'Build.*'),
    in_iterator('overlap: of dense operands', FAST_BUILD,
                'if (!fits(written) || may_overlap(written, model) || (may_overlap(written, rest.impl()) || ...)) return '
                'false;', 'if (!fits(written)) return false;', 'FastBuild.*'),
    in_iterator('overlap: of operands of a comparison', FAST_BUILD,
                '''|| may_overlap(written, model) ||
        (may_overlap(written, rest.impl()) || ...)) {''', ') {', 'FastBuild.*'),
    in_iterator('overlap: of mixed operands', FAST_BUILD,
                '''!are_alike_but_for_dtype(*written, *first) ||
        may_overlap(written, first) || may_overlap(written, second)) {''', '!are_alike_but_for_dtype(*written, *first)) {',
                'FastBuild.*'),
    in_iterator('overlap: of operands in a grid', FAST_BUILD_STRIDED,
                '''(!fits(written, first->signature().with_rank(2), sizes) || may_overlap(written, first) ||
                             may_overlap(written, second))''',
                '!fits(written, first->signature().with_rank(2), sizes)', 'FastBuild.*'),
    in_iterator('overlap: of operands in two dimensions', FAST_BUILD_STRIDED,
                'if (may_overlap(written, input->impl())) return false;', '', 'FastBuild.*'),
    in_operators('overlap: in an emitted wrapper', EMITTED + 'cpu/matmul.cpp',
                 '''  op.check_inputs(self, mat2);
  ::structured::kernels::mm_meta(''', '  ::structured::kernels::mm_meta(', 'Mm.*'),
]

VERSION = [
    in_kernel('version: of out', 'runtime/structured/kernel/adaptors.h',
              '      outs_[i]->impl()->storage().bump_version();  // defined, since it is set\n', '', 'Out*',
              ('test/unit/runtime/kernel/out_test.cpp',)),
    in_kernel('version: of self in place', 'runtime/structured/kernel/adaptors.h',
              '    self_->impl()->storage().bump_version();\n', '', 'Inplace.*',
              ('test/unit/runtime/kernel/inplace_test.cpp',)),
    in_kernel('version: of outputs of an unstructured kernel', 'runtime/structured/kernel/versions.h',
              'tensor.bump_version();', '', 'BumpVersions.*', ('test/unit/runtime/kernel/versions_test.cpp',)),
    in_operators('version: in an emitted wrapper', EMITTED + 'composite/copy.cpp',
                 '''wrapper_cpu_copy_(::structured::Tensor& self, const ::structured::Tensor& src,
                                        bool non_blocking) {
  ::structured::check_same_device("copy_", self, src);
  decltype(auto) result = ::structured::kernels::copy_(self, src, non_blocking);
  ::structured::bump_versions(self);''',
                 '''wrapper_cpu_copy_(::structured::Tensor& self, const ::structured::Tensor& src,
                                        bool non_blocking) {
  decltype(auto) result = ::structured::kernels::copy_(self, src, non_blocking);''', 'Copy.*'),
]

NAMES = [
    in_operators('names: fast builds reject named tensors', FAST_BUILD_OPERANDS,
                 'return impl != nullptr && (impl->flags() & TensorFlags::kUncommon) == 0;', 'return impl != nullptr;',
                 'Names.*', (FAST_BUILD, FAST_BUILD_STRIDED)),
    in_operators('names: dense fast builds reject named tensors', FAST_BUILD_OPERANDS,
                 '(impl->flags() & (TensorFlags::kContiguous | TensorFlags::kUncommon)) == TensorFlags::kContiguous',
                 '(impl->flags() & TensorFlags::kContiguous) == TensorFlags::kContiguous', 'Names.*',
                 (FAST_BUILD, FAST_BUILD_STRIDED)),
    in_operators('names: of operands match', BUILD, 'names = rules().unify(names, op->tensor->names());',
                 'names = std::vector<Dimname>(op->tensor->names().begin(), op->tensor->names().end());', 'Names.*'),
    in_operators('names: of results', BUILD, 'give_names(output(i), names);', '{}', 'Names.*'),
    in_operators('names: of views', 'runtime/structured/core/view_builder.h',
                 ' || impl->has_flag(TensorFlags::kNamed)', '', 'Names.*', ('kernels/composite/view.cpp',)),
    in_operators('names: of a slice', 'kernels/composite/view.cpp',
                 '''  if (self.has_names()) [[unlikely]]
    return named_view(std::move(result), self, all_dims(self));
''', '', 'Names.*'),
    in_operators('names: of a reduction', 'kernels/meta/reduction.cpp',
                 '''  if (self.has_names()) [[unlikely]]
    op.set_output_names(index, reduced_names(self.names(), mask, keepdim));
''', '', 'Names.*'),
    in_operators('names: of a copy match', 'kernels/composite/copy.cpp',
                 'name_output(self, unify_names(self.names(), source.names()));', '{}', 'Names.*'),
]

CHECKS = DEVICE + DTYPES + OVERLAP + VERSION + NAMES
