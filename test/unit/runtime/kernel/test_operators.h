#pragma once
// Operator classes and wrappers, hand-written in the form that the generator emits.
#include <cstdint>
#include <tuple>
#include <utility>

#include "structured/core/array_ref.h"
#include "structured/core/dim_vector.h"
#include "structured/core/factory.h"
#include "structured/core/memory_format.h"
#include "structured/core/tensor.h"
#include "structured/iterator/copy.h"
#include "structured/kernel/adaptors.h"

namespace structured::test {

/// Function by which the meta function of `Twice` sets its output.
enum class Demand {
  raw,         ///< any strides
  transposed,  ///< any strides, transposed if allocated
  contiguous,  ///< contiguous for the kernel
  strided,     ///< transposed for the kernel
  channels_last,
  wrong_dtype,
  wrong_device,
  wrong_sizes,
  undefined,
  twice,  ///< error: set twice
  never,  ///< error: not set
  second  ///< error: an output that does not exist
};

inline DimVector transposed_strides(IntArrayRef sizes) {
  DimVector strides = contiguous_strides(DimVector{sizes[1], sizes[0]});
  std::swap(strides[0], strides[1]);
  return strides;
}

/// Base that is notified of its outputs, as an iterator is.
struct NotifiedBase : MetaBase {
  void set_output_raw_strided(int64_t index, IntArrayRef, IntArrayRef, TensorOptions) override {
    learned = maybe_get_output(index);
    ++calls;
  }
  using MetaBase::set_output_raw_strided;

  Tensor learned;
  int calls = 0;
};

/// twice(Tensor self) -> Tensor: a float tensor times two.
struct Twice : NotifiedBase {
  void meta(const Tensor& self, Demand demand) {
    const IntArrayRef sizes = self.sizes();
    const TensorOptions options = self.options();
    switch (demand) {
      case Demand::raw:
        return set_output_raw_strided(0, sizes, {}, options);
      case Demand::transposed:
        return set_output_raw_strided(0, sizes, transposed_strides(sizes), options);
      case Demand::contiguous:
        return set_output_contiguous(0, sizes, options);
      case Demand::strided:
        return set_output_strided(0, sizes, transposed_strides(sizes), options);
      case Demand::channels_last:
        return set_output_contiguous(0, sizes, options.memory_format(MemoryFormat::ChannelsLast));
      case Demand::wrong_dtype:
        return set_output_raw_strided(0, sizes, {}, options.dtype(kLong));
      case Demand::wrong_device:
        return set_output_raw_strided(0, sizes, {}, options.device(kMeta));
      case Demand::wrong_sizes:
        return set_output_raw_strided(0, {7}, {}, options);
      case Demand::undefined:
        return set_output_undefined(0);
      case Demand::twice:
        set_output_raw_strided(0, sizes, {}, options);
        return set_output_raw_strided(0, sizes, {}, options);
      case Demand::never:
        return;
      case Demand::second:
        return set_output_raw_strided(1, sizes, {}, options);
    }
  }

  void impl(const Tensor& self, Demand, const Tensor& out) {
    if (!out.defined()) {
      return;
    }
    seen_strides = DimVector(out.strides());
    // Through a contiguous copy, since tests choose the strides of both.
    const Tensor values = empty(self.sizes(), self.options());
    copy_into(values, self);
    for (int64_t i = 0; i < values.numel(); ++i) {
      values.data_ptr<float>()[i] *= 2;
    }
    copy_into(out, values);
  }

  DimVector seen_strides;
};

/// split_sign(Tensor self) -> (Tensor positive, Tensor negative), with zeros elsewhere. The second output is optional.
struct SplitSign : MetaBase {
  void meta(const Tensor& self, bool with_negative) {
    set_output_contiguous(0, self.sizes(), self.options());
    if (with_negative) {
      set_output_raw_strided(1, self.sizes(), {}, self.options());
    } else {
      set_output_undefined(1);
    }
  }

  void impl(const Tensor& self, bool, const Tensor& positive, const Tensor& negative) {
    for (int64_t i = 0; i < self.numel(); ++i) {
      const float value = self.data_ptr<float>()[i];
      positive.data_ptr<float>()[i] = value > 0 ? value : 0;
      if (negative.defined()) {
        negative.data_ptr<float>()[i * negative.stride(0)] = value < 0 ? value : 0;
      }
    }
  }
};

inline Tensor twice(const Tensor& self, Demand demand) {
  Functional<Twice, 1> op;
  op.meta(self, demand);
  op.impl(self, demand, op.output(0));
  return std::move(op).take_output();
}

inline Tensor& twice_out(const Tensor& self, Demand demand, Tensor& out) {
  Out<Twice, 1> op(out);
  op.meta(self, demand);
  op.impl(self, demand, op.output(0));
  op.finish();
  return out;
}

inline Tensor& twice_(Tensor& self, Demand demand) {
  Inplace<Twice> op(self);
  op.meta(self, demand);
  op.impl(self, demand, op.output(0));
  op.finish();
  return self;
}

inline std::tuple<Tensor, Tensor> split_sign(const Tensor& self, bool with_negative) {
  Functional<SplitSign, 2> op;
  op.meta(self, with_negative);
  op.impl(self, with_negative, op.output(0), op.output(1));
  return std::move(op).take_outputs();
}

inline std::tuple<Tensor&, Tensor&> split_sign_out(const Tensor& self, bool with_negative, Tensor& positive,
                                                   Tensor& negative) {
  Out<SplitSign, 2> op(positive, negative);
  op.meta(self, with_negative);
  op.impl(self, with_negative, op.output(0), op.output(1));
  op.finish();
  return {positive, negative};
}

}  // namespace structured::test
