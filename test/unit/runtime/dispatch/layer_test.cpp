#include "structured/dispatch/layer.h"

#include <gtest/gtest.h>

#include <thread>

#include "../../expect_error.h"
#include "structured/base/error.h"

namespace structured {
namespace {

using test::expect_error;

TEST(LayerSet, KnowsItsLayersByPriority) {
  const LayerSet layers = Layer::Autograd | Layer::Tracer;
  EXPECT_TRUE(layers.has(Layer::Tracer));
  EXPECT_FALSE(layers.has(Layer::Profiler));
  EXPECT_EQ(layers.highest(), Layer::Tracer);
  EXPECT_EQ(layers & LayerSet::below(Layer::Tracer), Layer::Autograd);
  EXPECT_TRUE((layers & LayerSet::below(Layer::Autograd)).empty());
  EXPECT_TRUE(LayerSet().empty());
}

TEST(LayerSet, HoldsNothingButLayers) {
  expect_error([&] { LayerSet set(Layer::count); }, "expected a layer, got the number 7");
  expect_error([&] { LayerSet set(static_cast<Layer>(32)); }, "expected a layer, got the number 32");
  expect_error([&] { IncludeLayers guard(Layer::count); }, "expected a layer, got the number 7");
  EXPECT_TRUE(active_layers().empty());
}

TEST(LayerSet, NamesLayers) {
  EXPECT_EQ(to_string(Layer::Autograd), "Autograd");
  EXPECT_EQ(to_string(Layer::Profiler), "Profiler");
  EXPECT_EQ(to_string(Layer::count), "unknown layer");
}

TEST(LayerGuards, NoLayerIsActiveToBeginWith) { EXPECT_TRUE(active_layers().empty()); }

TEST(LayerGuards, IncludeAndExcludeUntilTheEndOfTheScope) {
  {
    const IncludeLayers include(Layer::Private1 | Layer::Tracer);
    EXPECT_EQ(active_layers(), Layer::Private1 | Layer::Tracer);
    {
      const ExcludeLayers exclude(Layer::Tracer);
      EXPECT_EQ(active_layers(), Layer::Private1);
    }
    EXPECT_EQ(active_layers(), Layer::Private1 | Layer::Tracer);
  }
  EXPECT_TRUE(active_layers().empty());
}

TEST(LayerGuards, ExclusionComesFirst) {
  const ExcludeLayers exclude(Layer::Private1);
  const IncludeLayers include(Layer::Private1);
  EXPECT_TRUE(active_layers().empty());
}

TEST(LayerGuards, AnInnerGuardTakesBackOnlyWhatItDid) {
  const IncludeLayers outer(Layer::Private1);
  const ExcludeLayers outer_exclude(Layer::Private2);
  {
    const IncludeLayers inner(Layer::Private1 | Layer::Private2);
    const ExcludeLayers inner_exclude(Layer::Private2);
  }
  EXPECT_EQ(active_layers(), Layer::Private1);
  const IncludeLayers later(Layer::Private2);
  EXPECT_EQ(active_layers(), Layer::Private1);
}

TEST(LayerGuards, ConcernOneThread) {
  const IncludeLayers include(Layer::Private1);
  LayerSet other = Layer::Tracer;
  std::thread([&other] { other = active_layers(); }).join();
  EXPECT_TRUE(other.empty());
}

}  // namespace
}  // namespace structured
