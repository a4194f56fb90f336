#include "catalogue/Climb.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace haloscope {
namespace {

using ::testing::ElementsAre;

KernelFile rung(const std::string& id, const std::string& extends, int order = 1, const std::string& climb = "") {
  KernelFile file;
  file.id = id;
  file.path = id + ".cu";
  file.chapter = id.substr(0, id.find('/'));
  file.order = order;
  file.extends = extends;
  file.climb = climb;
  file.rungAt = {5, 10, 5, 11};
  return file;
}

std::vector<std::string> messages(std::vector<KernelFile> kernels) {
  std::vector<std::string> list;
  for (const SourceError& error : clearLooseRungs(kernels)) { list.emplace_back(error.what()); }
  return list;
}

TEST(ClimbTest, GoesEachBranchToItsEndThoseOfTheSameChapterFirst) {
  Catalogue catalogue;
  catalogue.put(rung("beyond/rows", "stencil/basic", 1));
  catalogue.put(rung("stencil/coarsened", "stencil/tiled", 3));
  catalogue.put(rung("stencil/vectors", "stencil/basic", 5));
  catalogue.put(rung("stencil/tiled", "stencil/basic", 2));
  catalogue.put(rung("stencil/basic", "", 1, "star"));
  catalogue.put(rung("stencil/alone", ""));
  catalogue.put(rung("beyond/shuffle", "stencil/vectors", 9));
  const std::vector<Climb> list = climbs(catalogue);
  ASSERT_EQ(list.size(), 1U);
  EXPECT_EQ(list[0].name, "star");
  std::vector<std::string> shown;
  for (const auto& [variant, height] : list[0].rungs) { shown.push_back(std::to_string(height) + " " + variant->id); }
  EXPECT_THAT(shown, ElementsAre("0 stencil/basic", "1 stencil/tiled", "2 stencil/coarsened", "1 stencil/vectors",
                                 "2 beyond/shuffle", "1 beyond/rows"));
  ASSERT_NE(list[0].find("beyond/shuffle"), nullptr);
  EXPECT_EQ(list[0].find("stencil/alone"), nullptr);
}

TEST(ClimbTest, AnEditedTextInACircleIsOnNoClimb) {
  Catalogue catalogue;
  catalogue.put(rung("a/root", "", 1, "star"));
  catalogue.put(rung("a/one", "a/two"));
  catalogue.put(rung("a/two", "a/one"));
  EXPECT_EQ(climbs(catalogue).at(0).rungs.size(), 1U);
}

TEST(ClimbTest, NamesWhatLeadsNowhere) {
  EXPECT_THAT(messages({rung("a/root", "", 1, "star"), rung("a/one", "a/rood"), rung("a/two", "a/one")}),
              ElementsAre("a/one.cu:5:10: extends names \"a/rood\", which is not a variant; did you mean a/root?"));
  EXPECT_THAT(messages({rung("a/one", "nothing")}),
              ElementsAre("a/one.cu:5:10: extends names \"nothing\", which is not a variant"));
  EXPECT_THAT(messages({rung("a/one", "a/one")}), ElementsAre("a/one.cu:5:10: a variant cannot extend itself"));
  EXPECT_THAT(messages({rung("a/one", "a/two"), rung("a/two", "a/three"), rung("a/three", "a/one")}),
              ElementsAre("a/one.cu:5:10: variants extend each other in a circle: a/one, a/two, a/three, a/one"));
  EXPECT_THAT(messages({rung("a/one", ""), rung("a/two", "a/one"), rung("a/three", "a/two")}),
              ElementsAre("a/two.cu:5:10: extends a/one, whose climb has no name: give a/one a \"climb\", or an "
                          "\"extends\""));
  EXPECT_THAT(messages({rung("a/one", "", 1, "star"), rung("a/two", "", 1, "star")}),
              ElementsAre("a/two.cu:5:10: \"star\" is the climb of a/one already"));
}

TEST(ClimbTest, WhatLeadsNowhereIsCleared) {
  std::vector<KernelFile> kernels{rung("a/root", "", 1, "star"), rung("a/one", "a/root"), rung("a/two", "a/none")};
  EXPECT_EQ(clearLooseRungs(kernels).size(), 1U);
  EXPECT_EQ(kernels[1].extends, "a/root");
  EXPECT_EQ(kernels[2].extends, "");
}

}  // namespace
}  // namespace haloscope
