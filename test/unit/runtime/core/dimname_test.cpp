#include <structured/core/dimname.h>
#include <structured/device/stream.h>
#include <structured/format/print.h>
#include <structured/number/qscheme.h>

#include <string>

#include "throws_error.h"

namespace structured {
namespace {

TEST(Dimname, ComparesByText) {
  const std::string text = "channels";
  EXPECT_EQ(Dimname("channels"), Dimname(text));
  EXPECT_FALSE(Dimname("N") == Dimname("C"));
  EXPECT_STREQ(Dimname("_x1").name(), "_x1");
  EXPECT_EQ(to_string(Dimname("H")), "H");
}

TEST(Dimname, HasAWildcard) {
  EXPECT_TRUE(Dimname().is_wildcard());
  EXPECT_EQ(Dimname("*"), Dimname());
  EXPECT_EQ(to_string(Dimname()), "*");
  EXPECT_FALSE(Dimname("N").is_wildcard());
}

TEST(Dimname, Unifies) {
  EXPECT_EQ(Dimname("N").unify(Dimname()), Dimname("N"));
  EXPECT_EQ(Dimname().unify(Dimname("N")), Dimname("N"));
  EXPECT_EQ(Dimname("N").unify(Dimname("N")), Dimname("N"));
  EXPECT_EQ(Dimname("N").unify(Dimname("C")), std::nullopt);
  EXPECT_TRUE(Dimname().matches(Dimname()));
  EXPECT_FALSE(Dimname("N").matches(Dimname("C")));
}

TEST(Dimname, RefusesOtherText) {
  for (const std::string text : {"", "1N", "a b", "a-b", "**", "\xc3\xa4"}) {
    EXPECT_ERROR(Dimname{text},
                 ("expected the name of a dimension to be an identifier or `*`, got `" + text + "`").c_str());
  }
}

TEST(DimnameList, IsAList) {
  const Dimname names[] = {Dimname("N"), Dimname("C")};
  const DimnameList list = names;
  EXPECT_EQ(list[1], Dimname("C"));
  EXPECT_TRUE(list == DimnameList(names));
}

TEST(QScheme, Prints) {
  EXPECT_EQ(to_string(kPerTensorAffine), std::string("per_tensor_affine"));
  EXPECT_EQ(to_string(kPerChannelAffineFloatQParams), std::string("per_channel_affine_float_qparams"));
}

TEST(Stream, IsANumberOnADevice) {
  const Stream stream(Device(kCUDA, 0), 3);
  EXPECT_EQ(to_string(stream), "stream 3 on cuda:0");
  EXPECT_EQ(stream, Stream(Device(kCUDA, 0), 3));
  EXPECT_FALSE(stream == Stream(Device(kCUDA, 1), 3));
  EXPECT_EQ(Stream(kCPU).id(), 0);
}

}  // namespace
}  // namespace structured
