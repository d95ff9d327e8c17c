#include <structured/program/pickle.h>

#include <string>

#include "../../expect_error.h"

namespace structured::test::pickle_test {
namespace {

using program::Pickle;
using program::PickleValue;
using Kind = PickleValue::Kind;

// A literal with zero bytes.
template <std::size_t N>
std::string bytes(const char (&text)[N]) {
  return std::string(text, N - 1);
}

// Written by Python: pickle.dumps((1, -2, 300, 2**40, 1.5, "text", None, True, [1, 2], {"a": ()}), 2), without memo.
const std::string kValues = bytes(
    "\x80\x02(K\x01J\xfe\xff\xff\xffM\x2c\x01\x8a\x06\x00\x00\x00\x00\x00\x01G\x3f\xf8\x00\x00\x00\x00\x00\x00"
    "X\x04\x00\x00\x00textN\x88](K\x01K\x02"
    "e}X\x01\x00\x00\x00"
    "a)st.");

TEST(Pickle, ReadsValues) {
  const Pickle pickle(kValues, "file");
  const PickleValue& root = pickle.root();
  ASSERT_EQ(root.kind, Kind::tuple);
  ASSERT_EQ(root.children.size(), 10U);
  const auto at = [&](std::size_t i) { return pickle[root.children[i]]; };
  EXPECT_EQ(at(0).integer, 1);
  EXPECT_EQ(at(1).integer, -2);
  EXPECT_EQ(at(2).integer, 300);
  EXPECT_EQ(at(3).integer, int64_t{1} << 40);
  EXPECT_EQ(at(4).real, 1.5);
  EXPECT_EQ(at(5).text, "text");
  EXPECT_EQ(at(6).kind, Kind::none);
  EXPECT_EQ(at(7).kind, Kind::boolean);
  EXPECT_EQ(at(7).integer, 1);
  EXPECT_EQ(at(8).kind, Kind::list);
  EXPECT_EQ(pickle[at(8).children[1]].integer, 2);
  EXPECT_EQ(at(9).kind, Kind::dict);
  EXPECT_EQ(pickle[at(9).children[0]].text, "a");
  EXPECT_EQ(pickle[at(9).children[1]].kind, Kind::tuple);
}

TEST(Pickle, DropsAttributesOfDictionaries) {
  // An OrderedDict with the attribute `_metadata`, as a state_dict() has it; the second one without items.
  for (const std::string& items : {std::string("X\x01\0\0\0aK\x07s", 9), std::string()}) {
    const std::string text =
        bytes("\x80\x02") + "ccollections\nOrderedDict\n)R" + items + bytes("}X\x09\0\0\0_metadataNsb.");
    const Pickle pickle(text, "file");
    EXPECT_EQ(pickle.root().children.size(), 2U);
    EXPECT_EQ(pickle.root().kind, items.empty() ? Kind::call : Kind::dict);
  }
}

TEST(Pickle, ReadsObjectsAsData) {
  const std::string text = bytes(
      "\x80\x02"
      "c__torch__\nNet\n)\x81}X\x01\x00\x00\x00"
      "aK\x07sb.");
  const Pickle pickle(text, "file");
  const PickleValue& object = pickle.root();
  ASSERT_EQ(object.kind, Kind::object);
  ASSERT_EQ(object.children.size(), 3U);
  EXPECT_EQ(pickle[object.children[0]].module, "__torch__");
  EXPECT_EQ(pickle[object.children[0]].text, "Net");
  EXPECT_EQ(pickle[pickle[object.children[2]].children[1]].integer, 7);
}

TEST(Pickle, NamesFunctionsAndDoesNotCallThem) {
  const std::string text = bytes(
      "\x80\x02"
      "cos\nsystem\nX\x02\x00\x00\x00ls\x85R.");
  const Pickle pickle(text, "file");
  EXPECT_EQ(pickle.root().kind, Kind::call);
  EXPECT_EQ(pickle[pickle.root().children[0]].text, "system");
}

TEST(Pickle, SharesValuesOfTheMemo) {
  const std::string text = bytes("\x80\x02]q\x05h\x05\x86.");
  const Pickle pickle(text, "file");
  EXPECT_EQ(pickle.root().children[0], pickle.root().children[1]);
}

TEST(Pickle, RejectsTruncationAtEveryByte) {
  for (std::size_t length = 0; length < kValues.size(); ++length) {
    const std::string part = kValues.substr(0, length);
    expect_error([&] { Pickle(part, "file"); }, "file: byte ");
  }
}

TEST(Pickle, RejectsDamagedData) {
  const auto rejects = [](const std::string& text, const char* part) {
    expect_error([&] { Pickle(text, "file"); }, part);
  };
  rejects(bytes("\x80\x04N."), "file: byte 2: expected protocol 2");
  rejects(bytes("\x80\x02"
                "0."),
          "file: byte 2: expected an opcode that PyTorch writes, found 48");
  rejects(bytes("\x80\x02."), "expected one value at the end");
  rejects(bytes("\x80\x02NN."), "expected one value at the end");
  rejects(bytes("\x80\x02t."), "expected a mark");
  rejects(bytes("\x80\x02N(\x85."), "expected a value on the stack");
  rejects(bytes("\x80\x02h\x01."), "expected a value that was stored before");
  rejects(bytes("\x80\x02NNa."), "expected a list on the stack");
  rejects(bytes("\x80\x02}(Nu."), "expected keys and values in turn");
  rejects(bytes("\x80\x02N)R."), "expected a name and a tuple of arguments on the stack");
  rejects(bytes("\x80\x02X\xff\xff\xff\xff"
                "a."),
          "expected more bytes");
  rejects(bytes("\x80\x02\x8a\x09"
                "123456789."),
          "expected an integer of at most 8 bytes");
}

}  // namespace
}  // namespace structured::test::pickle_test
