// The profiler of dispatch/profiler.h, for calls of operators of the library.
#include "structured/dispatch/profiler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <structured/operators.h>
#include <structured/structured.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "expect_error.h"

namespace structured::profiler_test {
namespace {

using test::expect_error;
using testing::ElementsAre;
using testing::IsEmpty;
using Json = nlohmann::json;

Tensor on_meta(IntArrayRef sizes) { return empty(sizes, kMeta); }

const Profile::Event& find(const std::vector<Profile::Event>& events, std::string_view name) {
  for (const Profile::Event& event : events) {
    if (event.name == name) return event;
  }
  throw std::runtime_error("no event " + std::string(name));
}

TEST(Profiler, RecordsNamesShapesAndTimes) {
  Profile profile;
  const Tensor a = on_meta({2, 3}), b = on_meta({3});
  {
    const Profiler profiler(profile);
    add(a, b);
  }
  add(a, b);  // not recorded
  const std::vector<Profile::Event> events = profile.events();
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].name, "aten::add.Tensor");
  EXPECT_TRUE(events[0].is_operator);
  EXPECT_THAT(events[0].shapes, ElementsAre(ElementsAre(2, 3), ElementsAre(3)));
  EXPECT_GE(events[0].duration, 0);
  EXPECT_EQ(events[0].depth, 0u);
}

TEST(Profiler, ShowsWhatIsWithinWhat) {
  Profile profile;
  {
    const Profiler profiler(profile);
    const ProfiledRange range("forward");
    linear(on_meta({2, 3}), on_meta({4, 3}));
  }
  const std::vector<Profile::Event> events = profile.events();
  const Profile::Event& range = find(events, "forward");
  const Profile::Event& linear = find(events, "aten::linear");
  const Profile::Event& mm = find(events, "aten::mm");
  EXPECT_FALSE(range.is_operator);
  EXPECT_EQ(range.depth, 0u);
  EXPECT_EQ(linear.depth, 1u);
  EXPECT_EQ(mm.depth, 2u);
  EXPECT_LE(linear.start, mm.start);
  EXPECT_GE(linear.start + linear.duration, mm.start + mm.duration);
}

TEST(Profiler, ListsHaveAShapeForEachTensor) {
  Profile profile;
  {
    const Profiler profiler(profile);
    cat({on_meta({1, 2}), on_meta({3, 2})});
  }
  EXPECT_THAT(find(profile.events(), "aten::cat").shapes, ElementsAre(ElementsAre(1, 2), ElementsAre(3, 2)));
}

TEST(Profiler, RecordsCallsThatFail) {
  Profile profile;
  const Profiler profiler(profile);
  expect_error([&] { add(on_meta({2}), on_meta({3})); }, "in add: `other`: shapes [2] and [3] do not broadcast");
  EXPECT_EQ(find(profile.events(), "aten::add.Tensor").depth, 0u);
  relu(on_meta({2}));
  EXPECT_EQ(find(profile.events(), "aten::relu").depth, 0u);
}

TEST(Profiler, RangesOutsideOfAProfileAreNothing) { const ProfiledRange range("nothing"); }

TEST(Profiler, SeveralThreadsMayRecord) {
  Profile profile;
  const auto work = [&profile] {
    const Tensor a = on_meta({2});
    const Profiler profiler(profile);
    for (int i = 0; i < 100; ++i) relu(a);
  };
  std::thread one(work), two(work);
  one.join();
  two.join();
  const std::vector<Profile::Event> events = profile.events();
  ASSERT_EQ(events.size(), 200u);
  int of_first = 0;
  for (const Profile::Event& event : events) of_first += event.thread == events[0].thread;
  EXPECT_EQ(of_first, 100);
}

TEST(Profiler, WritesATraceForChrome) {
  Profile profile;
  const Tensor a = on_meta({2});
  {
    const Profiler profiler(profile);
    const ProfiledRange range("a \"name\"\n");
    relu(a);
  }
  std::ostringstream out;
  profile.write_chrome_trace(out);
  const Json trace = Json::parse(out.str());
  const Json& events = trace.at("traceEvents");
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].at("name"), "aten::relu");
  EXPECT_EQ(events[0].at("ph"), "X");
  EXPECT_EQ(events[0].at("cat"), "op");
  EXPECT_EQ(events[0].at("args").at("shapes"), Json::parse("[[2]]"));
  EXPECT_EQ(events[1].at("name"), "a \"name\"\n");
  EXPECT_EQ(events[1].at("ts").get<double>(), 0);
  EXPECT_LE(events[0].at("dur").get<double>(), events[1].at("dur").get<double>());
}

TEST(Profile, IsATraceAlsoWhereThereIsNothing) {
  std::ostringstream out;
  Profile().write_chrome_trace(out);
  EXPECT_THAT(Json::parse(out.str()).at("traceEvents"), IsEmpty());
}

}  // namespace
}  // namespace structured::profiler_test
