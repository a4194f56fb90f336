#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "UiDriver.h"
#include "actions/Origins.h"
#include "recording/Pace.h"
#include "state/Player.h"

/// How the block scene reacts to the pointer.
namespace haloscope::test {
namespace {

constexpr const char* kScene = "//###Walk Block/scene";
constexpr int kDolly = 40;  ///< frames, more than the camera is on its way
constexpr const char* kMap = "//###Walk Block/**/map";

class ScenePanel : public ::testing::Test {
 protected:
  ScenePanel() {
    state().playback.playing = false;
    state().cursor.goTo(state().cursor.end());
    driver_.settle();
  }

  AppState& state() { return driver_.state(); }

  /// A pixel of the scene that shows a cell of the tile: the first one from the left.
  ImVec2 onACell(ImGuiTestContext* user) { return firstCell(user, state(), kScene, 0.2F, 0.9F); }
  /// A pixel that shows a cell of the output stack: the first one from the right.
  ImVec2 onAnOutput(ImGuiTestContext* user) { return firstCell(user, state(), kScene, 0.97F, 0.2F); }

  UiDriver driver_;
};

TEST_F(ScenePanel, ACellPublishesItsPointToTheOtherPanels) {
  std::optional<recording::GridPoint> point;
  ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) {
    user->MouseMoveToPos(onACell(user));
    user->Yield(2);
    point = state().selection.hoveredPoint;
  }));
  EXPECT_TRUE(point);
}

TEST_F(ScenePanel, AClickSelectsTheThreadOfACell) {
  state().selection.thread = 0;
  std::optional<std::uint32_t> hovered;
  ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) {
    user->MouseMoveToPos(onACell(user));
    user->Yield(2);
    hovered = state().selection.hoveredThread;
    user->MouseClick();
  }));
  ASSERT_TRUE(hovered);
  EXPECT_EQ(state().selection.thread, *hovered);
}

TEST_F(ScenePanel, TheHeadIsDraggedThroughAMovementAndBack) {
  const recording::FilmClock clock(state().cursor.recording());
  const std::size_t at = tellingPosition(state().cursor.recording());
  std::vector<float> shares;
  std::vector<std::size_t> positions;
  ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) {
    const ImRect tracks = user->ItemInfo((pathOf(state(), Tab::Timeline) + "/tracks").c_str()).RectFull;
    const auto spot = [&](std::size_t step, double share) {
      const double second = clock.begin(step) + share * clock.seconds(step);
      return ImVec2(tracks.Min.x + tracks.GetWidth() * static_cast<float>(second / clock.total()), tracks.Max.y - 8);
    };
    const auto look = [&] {
      user->Yield(2);
      positions.push_back(state().cursor.position());
      shares.push_back(state().playback.held.value_or(-1));
    };
    user->MouseMoveToPos(spot(at - 3, 0.5));
    user->MouseDown();
    look();  // a click alone holds nothing
    for (const double share : {0.25, 0.75, 0.5}) {
      user->MouseMoveToPos(spot(at - 1, share));
      look();
    }
    user->MouseUp();
    look();
  }));
  EXPECT_THAT(positions, ::testing::ElementsAre(at - 2, at, at, at, at));
  EXPECT_THAT(shares, ::testing::ElementsAre(-1, ::testing::FloatNear(0.25F, 0.1F), ::testing::FloatNear(0.75F, 0.1F),
                                             ::testing::FloatNear(0.5F, 0.1F), -1));
}

TEST_F(ScenePanel, OneClickOnAnOutputShowsWhereItCameFrom) {
  state().view.tabs.bringToFront(Tab::Origins);
  state().view.camera.panX = -0.7F;  // from below the drawer
  driver_.settle();
  const std::size_t position = state().cursor.position();
  ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) {
    user->MouseMoveToPos(firstCell(user, state(), kScene, 0.6F, 0.1F));
    user->Yield(2);
    user->MouseClick();
  }));
  ASSERT_TRUE(state().selection.output);
  const std::int64_t clicked = *state().selection.output;
  EXPECT_EQ(state().experiment->writes.writer(clicked), state().selection.thread);
  driver_.settle();
  ASSERT_NE(shownOrigins(state()), nullptr);
  EXPECT_EQ(shownOrigins(state())->trace.element, clicked);
  EXPECT_EQ(state().cursor.position(), position) << "looking moves nothing";
}

TEST_F(ScenePanel, ARightClickOnAnOutputOpensWhereItCameFrom) {
  ASSERT_FALSE(state().view.tabs.inFront(Tab::Origins));
  ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) {
    user->MouseMoveToPos(onAnOutput(user));
    user->Yield(2);
    user->MouseClick(ImGuiMouseButton_Right);
  }));
  driver_.settle();
  EXPECT_TRUE(state().view.tabs.inFront(Tab::Origins));
  ASSERT_TRUE(state().selection.output);
  ASSERT_NE(shownOrigins(state()), nullptr);
  EXPECT_EQ(shownOrigins(state())->trace.element, *state().selection.output);
}

TEST_F(ScenePanel, ADragTurnsAndADoubleClickTurnsBack) {
  const SceneCamera home = state().view.camera;
  const std::uint32_t thread = state().selection.thread;
  ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) {
    const ImVec2 from = onACell(user);
    user->MouseMoveToPos(from);
    user->MouseDown();
    user->MouseMoveToPos({from.x + 60, from.y + 30});
    user->MouseUp();
  }));
  EXPECT_LT(state().view.camera.yaw, home.yaw);
  EXPECT_GT(state().view.camera.pitch, home.pitch);
  EXPECT_EQ(state().selection.thread, thread) << "a drag is not a click";
  ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) {
    const ImRect scene = user->ItemInfo(kScene).RectFull;
    user->MouseMoveToPos({scene.Max.x - 8, scene.Max.y - 8});  // beside the cells, to which it would go close
    user->MouseDoubleClick();
    user->Yield(kDolly);
  }));
  EXPECT_EQ(state().view.camera.yaw, home.yaw);
  EXPECT_EQ(state().view.camera.pitch, home.pitch);
}

TEST_F(ScenePanel, ShiftAndADragMoveTheScene) {
  const SceneCamera home = state().view.camera;
  ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) {
    const ImVec2 from = onACell(user);
    user->MouseMoveToPos(from);
    user->KeyDown(ImGuiMod_Shift);
    user->MouseDown();
    user->MouseMoveToPos({from.x + 60, from.y});
    user->MouseUp();
    user->KeyUp(ImGuiMod_Shift);
  }));
  EXPECT_GT(state().view.camera.panX, home.panX);
  EXPECT_EQ(state().view.camera.yaw, home.yaw);
}

TEST_F(ScenePanel, ARightDragMovesTheScene) {
  const SceneCamera home = state().view.camera;
  ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) {
    const ImVec2 from = onAnOutput(user);
    user->MouseMoveToPos(from);
    user->MouseDown(ImGuiMouseButton_Right);
    user->MouseMoveToPos({from.x - 60, from.y + 40});
    user->MouseUp(ImGuiMouseButton_Right);
  }));
  EXPECT_LT(state().view.camera.panX, home.panX);
  EXPECT_LT(state().view.camera.panY, home.panY);
  EXPECT_EQ(state().view.camera.yaw, home.yaw);
  EXPECT_FALSE(state().view.tabs.inFront(Tab::Origins)) << "a drag is not a click";
}

TEST_F(ScenePanel, ADoubleClickGoesCloseToTheObjectAndFBack) {
  float onTheWay = 0;
  ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) {
    user->MouseMoveToPos(onAnOutput(user));
    user->MouseDoubleClick();
    user->Yield(12);
    onTheWay = state().view.camera.zoom;
    user->Yield(kDolly);
  }));
  const SceneCamera close = state().view.camera;
  EXPECT_GT(close.zoom, 1.02F);
  EXPECT_GT(onTheWay, 1);
  EXPECT_LT(onTheWay, close.zoom) << "by a dolly";
  EXPECT_TRUE(state().typedCell.array.empty());
  ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) {
    user->KeyPress(ImGuiKey_F);
    user->Yield(kDolly);
  }));
  EXPECT_EQ(state().view.camera, SceneCamera{});
}

TEST_F(ScenePanel, TheCameraGoesFromTheGridToTheStageToAThread) {
  const auto type = [&](char sign) {
    ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) {
      user->KeyChars(std::string(1, sign).c_str());
      user->Yield(kDolly);
    }));
  };
  type('.');
  EXPECT_EQ(state().view.shot, Shot::Thread);
  EXPECT_GT(state().view.camera.zoom, 1.5F);
  type(',');
  EXPECT_EQ(state().view.camera, SceneCamera{});
  type(',');
  EXPECT_EQ(state().view.shot, Shot::Grid);
  EXPECT_EQ(state().view.gridShare, 1);
  const Dim3 before = state().experiment->block;
  ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) {
    const ImRect map = user->ItemInfo("//###Walk Block/grid map").RectFull;
    user->MouseMoveToPos({map.GetCenter().x, map.GetCenter().y});
    user->MouseClick();
    user->Yield(kDolly);
  }));
  EXPECT_EQ(state().view.gridShare, 0) << "and goes to the block that was clicked";
  ASSERT_TRUE(state().choice.block);
  EXPECT_FALSE(*state().choice.block == before);
}

TEST_F(ScenePanel, WithReducedMotionTheCameraCuts) {
  state().view.reducedMotion = true;
  ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) {
    user->KeyChars(".");
    user->Yield(3);
  }));
  EXPECT_GT(state().view.camera.zoom, 1.5F);
  EXPECT_FALSE(state().view.dolly);
}

TEST_F(ScenePanel, TheViewIsFittedAnewForAnotherTileAndKeptForAnotherStep) {
  state().view.camera.zoom = 3;
  state().view.camera.panX = 0.5F;
  state().cursor.step(-1);
  driver_.settle();
  EXPECT_EQ(state().view.camera.zoom, 3);
  state().choice.bindings["IN_TILE_DIM"] = 6;
  driver_.settle();
  EXPECT_EQ(state().view.camera, SceneCamera{});
}

TEST_F(ScenePanel, TheWheelZoomsAroundThePointer) {
  std::optional<recording::GridPoint> before, after;
  ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) {
    // Well inside a cell: what lies a pixel further is the same cell. A pixel is rounded to; at a border it may tip
    // over.
    const ImVec2 middle = onACell(user);
    const auto pointAt = [&](ImVec2 place) {
      user->MouseMoveToPos(place);
      user->Yield(2);
      return state().selection.hoveredPoint;
    };
    for (float x = middle.x; !before && x < middle.x + 40; x += 2) {
      const auto point = pointAt({x, middle.y});
      const bool inside = point && point == pointAt({x + 2, middle.y}) && point == pointAt({x - 2, middle.y}) &&
                          point == pointAt({x, middle.y + 2}) && point == pointAt({x, middle.y - 2});
      if (inside) { before = pointAt({x, middle.y}); }
    }
    user->MouseWheelY(3);
    user->Yield(2);
    after = state().selection.hoveredPoint;
  }));
  EXPECT_GT(state().view.camera.zoom, 1.3F);
  ASSERT_TRUE(before && after);
  EXPECT_EQ(*before, *after);
}

TEST_F(ScenePanel, AStripAnswersItsCellsAndIsNotTurned) {
  state().choice = experiment::Choice{"convolution/1d_basic", {{"width", 12}}, {}};
  driver_.settle();
  ASSERT_EQ(state().experiment->file.id, "convolution/1d_basic");
  const SceneCamera home = state().view.camera;
  std::vector<std::int64_t> indices;
  ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) {
    // Along the input's row, which is one of sixteen cells: two ghost cells at each end.
    const ImRect scene = user->ItemInfo(kScene).RectFull;
    float row = 0;
    for (float y = scene.Min.y + 24; row == 0 && y < scene.Max.y; y += 4) {
      user->MouseMoveToPos({scene.GetCenter().x + 6, y});
      user->Yield(2);
      if (state().selection.hoveredPoint) { row = y + 4; }
    }
    for (float x = scene.Min.x + 4; row != 0 && x < scene.Max.x; x += 8) {
      state().selection.hoveredPoint.reset();
      user->MouseMoveToPos({x, row});
      user->Yield(2);
      const auto point = state().selection.hoveredPoint;
      if (point && (indices.empty() || indices.back() != point->x)) { indices.push_back(point->x); }
    }
    user->MouseMoveToPos(scene.GetCenter());
    user->MouseDown();
    user->MouseMoveToPos({scene.GetCenter().x + 60, scene.GetCenter().y + 30});
    user->MouseUp();
  }));
  std::vector<std::int64_t> all(12);
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(indices, all);
  EXPECT_EQ(state().view.camera.yaw, home.yaw);
  EXPECT_EQ(state().view.camera.pitch, home.pitch);
  EXPECT_GT(state().view.camera.panX, home.panX);
}

TEST_F(ScenePanel, AClickOnTheMapFocusesABlock) {
  const Dim3 grid = state().experiment->configuration.grid;
  ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) {
    const ImRect map = user->ItemInfo(kMap).RectFull;
    user->MouseMoveToPos({map.Min.x + 2, map.Max.y - 2});
    user->MouseClick();
  }));
  ASSERT_TRUE(state().choice.block);
  EXPECT_EQ(state().choice.block->x, 0U);
  EXPECT_EQ(state().choice.block->y, grid.y - 1);
}

}  // namespace
}  // namespace haloscope::test
