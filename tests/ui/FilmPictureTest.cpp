#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "UiDriver.h"
#include "recording/Film.h"
#include "ui/panels/FilmPicture.h"
#include "ui/widgets/CarrierColours.h"

/// The small pictures of barrier intervals.
namespace haloscope::test {
namespace {

using recording::FilmEvent;

class FilmPictureTest : public ::testing::Test {
 protected:
  FilmPictureTest() : driver_([](AppOptions& options) { options.state.choice.kernel = "stencil/coarsened"; }) {
    theme_.apply(false, 1);
  }

  const experiment::Experiment& experiment() { return *driver_.state().experiment; }

  /// How many vertices of a frame's picture have this colour.
  std::ptrdiff_t drawn(std::size_t frame, ImVec2 size, ImU32 colour) {
    ImDrawList list(ImGui::GetDrawListSharedData());
    list._ResetForNewFrame();
    list.PushTexture(ImGui::GetIO().Fonts->TexRef);
    list.PushClipRectFullScreen();
    ui::FilmPicture picture(&list, theme_, *experiment().film, ui::carrierColours(theme_, experiment()));
    picture.draw(frame, {0, 0}, size, false);
    return std::ranges::count(list.VtxBuffer, colour, &ImDrawVert::col);
  }

  UiDriver driver_;
  ui::Theme theme_{ui::Theme::systemFonts()};
};

TEST_F(FilmPictureTest, NarrowFramesKeepTheirLoads) {
  const recording::Film& film = *experiment().film;
  constexpr std::size_t kFrame = 2;
  const auto events = film.eventsOf(film.frames().at(kFrame));
  ASSERT_TRUE(std::ranges::count(events, FilmEvent::Kind::Load, &FilmEvent::kind) > 0 &&
              std::ranges::count(events, FilmEvent::Kind::Move, &FilmEvent::kind) > 0);
  const ImU32 halo = theme_.colours().halo;
  const ImU32 previous = theme_.colours().previous;
  for (const ImVec2 size : {ImVec2{200, 60}, ImVec2{60, 60}, ImVec2{40, 60}, ImVec2{34, 70}}) {
    EXPECT_GT(drawn(kFrame, size, halo), 0) << size.x << ": the arrow of a load";
    EXPECT_GT(drawn(kFrame, size, previous), 0) << size.x << ": the copy";
  }
  EXPECT_EQ(drawn(kFrame, {6, 6}, halo), 0) << "there is no room";
}

}  // namespace
}  // namespace haloscope::test
