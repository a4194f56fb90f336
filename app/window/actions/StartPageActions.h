#pragma once

#include <cstddef>

#include "state/StartPage.h"

/// What the start page offers.
namespace haloscope {

struct AppState;

/// Back to the page; what is chosen stays chosen.
void showStartPage(AppState& state);
void leaveStartPage(AppState& state);
/// Leaves the page if something was chosen elsewhere: by a key, or by a file dropped on the window.
void followStartPage(AppState& state);

/// What the page offers, but for the lessons.
void startWalking(AppState& state);
void startOpening(AppState& state);
void startBugLab(AppState& state);  ///< the first task that is not solved
void startPlaying(AppState& state);
void startRecent(AppState& state, std::size_t index);

/// What is on screen, as an item of the list; an empty one where nothing is to be remembered.
[[nodiscard]] RecentItem recentItem(const AppState& state);
/// Puts what is on screen first in the list.
void noteRecent(AppState& state);

}  // namespace haloscope
