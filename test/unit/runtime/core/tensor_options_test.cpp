#include <gtest/gtest.h>
#include <structured/core/tensor_options.h>
#include <structured/format/print.h>

namespace structured {
namespace {

TEST(TensorOptions, HasDefaults) {
  const TensorOptions options;
  EXPECT_EQ(options.dtype(), kFloat);
  EXPECT_EQ(options.layout(), kStrided);
  EXPECT_EQ(options.device(), Device(kCPU));
  EXPECT_FALSE(options.pinned_memory());
  EXPECT_FALSE(options.dtype_opt() || options.layout_opt() || options.device_opt() || options.pinned_memory_opt() ||
               options.memory_format_opt());
}

TEST(TensorOptions, FollowsTheDefaultDtype) {
  set_default_dtype(kDouble);
  EXPECT_EQ(TensorOptions().dtype(), kDouble);
  set_default_dtype(kFloat);
}

TEST(TensorOptions, IsMadeFromOneProperty) {
  const auto print = [](TensorOptions options) { return to_string(options); };
  EXPECT_EQ(print(kInt), "TensorOptions(dtype=Int)");
  EXPECT_EQ(print(kMeta), "TensorOptions(device=meta)");
  EXPECT_EQ(print(Device(kCUDA, 1)), "TensorOptions(device=cuda:1)");
  EXPECT_EQ(print(kSparse), "TensorOptions(layout=Sparse)");
  EXPECT_EQ(print(MemoryFormat::ChannelsLast), "TensorOptions(memory_format=ChannelsLast)");
  EXPECT_EQ(print({}), "TensorOptions()");
}

TEST(TensorOptions, SettersCopy) {
  const TensorOptions options = kInt;
  const TensorOptions changed =
      options.device(kMeta).layout(kStrided).pinned_memory(true).dtype(kDouble).memory_format(MemoryFormat::Preserve);
  EXPECT_EQ(to_string(changed),
            "TensorOptions(dtype=Double, layout=Strided, device=meta, pinned_memory=true, memory_format=Preserve)");
  EXPECT_EQ(options, TensorOptions(kInt));
  EXPECT_EQ(options.dtype(std::nullopt), TensorOptions());
}

TEST(TensorOptions, IsMadeFromTheFourOptionals) {
  EXPECT_EQ(TensorOptions(kInt, std::nullopt, Device(kMeta), false),
            TensorOptions(kInt).device(kMeta).pinned_memory(false));
}

TEST(TensorOptions, MergesWhatIsSet) {
  const TensorOptions ours = TensorOptions(kInt).device(kMeta).pinned_memory(false);
  const TensorOptions theirs = TensorOptions(kDouble).layout(kSparse).memory_format(MemoryFormat::Contiguous);
  EXPECT_EQ(ours.merge_in(theirs),
            TensorOptions(kDouble).layout(kSparse).device(kMeta).pinned_memory(false).memory_format(
                MemoryFormat::Contiguous));
  EXPECT_EQ(ours.merge_in({}), ours);
  EXPECT_EQ(TensorOptions().merge_in(ours), ours);
}

}  // namespace
}  // namespace structured
