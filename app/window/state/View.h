#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>

#include "language/Language.h"
#include "parts/SceneCamera.h"
#include "parts/Tabs.h"

namespace haloscope {

inline constexpr const char* kGlossaryPage = "glossary";  ///< View::page: the words, which are in no file
inline constexpr const char* kTurned = "turned";          ///< of View::keysUsed: the picture was dragged

/// The camera on its way.
struct CameraDolly {
  SceneCamera from, to;
  float seconds = 0;  ///< since it began
};

struct View {
  bool light = false;                  ///< light theme
  bool reducedMotion = false;          ///< steps are shown as they end, without their movement
  float scale = 1.0F;                  ///< type scale: 1 at 1280×720
  std::optional<Language> language{};  ///< that was chosen; none: the process's, as it began
  Tabs tabs;
  bool showHelp = false;
  std::string page{};     ///< of the manual, by id, that the help has open; empty: the first
  std::string term{};     ///< of the glossary, that a link has opened the help at
  bool findTerm = false;  ///< the help brings it into view at the next frame
  bool showAbout = false;
  bool showLaunch = false;  ///< the launch table
  enum class FileDialog : std::uint8_t { None, Open, SaveAs, SaveSession };
  FileDialog fileDialog = FileDialog::None;
  std::filesystem::path folder;  ///< that the file dialog is to list; consumed by it
  bool openVariants = false;     ///< the list of variants opens; consumed by it
  bool openLab = false;          ///< the gallery of the bug lab opens; consumed by its panel
  std::string variantQuery{};    ///< what the list is searched for
  std::string variantRow{};      ///< the variant that Enter would choose
  bool quit = false;
  std::set<std::string> keysUsed{};  ///< of those that are pointed out beside the scene
  bool resetLayout = false;          ///< consumed by the layout
  bool ownTimes = true;              ///< how long the program itself took, which differs from run to run
  SceneCamera camera;
  std::optional<CameraDolly> dolly{};  ///< moves it; see actions/CameraActions.h
  Shot shot = Shot::Stage;             ///< that was asked for last
  float gridShare = 0;                 ///< of the way from the stage to the grid's map
  bool framesShot = false;             ///< the scene is to frame the shot; consumed by it
  std::optional<float> drawerLeft{};   ///< pixel of the window where an open drawer begins; while panels are drawn
  int gpuSpec = -1;                    ///< index into AppState::gpuSpecs: whose roof is predicted; -1: see chosenGpu()
};

}  // namespace haloscope
