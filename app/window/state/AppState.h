#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "catalogue/BugLab.h"
#include "catalogue/Catalogue.h"
#include "checking/Check.h"
#include "experiment/Experiment.h"
#include "frontend/CodeText.h"
#include "measuring/GpuSpecs.h"
#include "recording/BlockView.h"
#include "recording/Cursor.h"
#include "state/ChangedOutputs.h"
#include "state/ChoiceHistory.h"
#include "state/ClimbView.h"
#include "state/Comparison.h"
#include "state/CostsShown.h"
#include "state/Editing.h"
#include "state/ExerciseView.h"
#include "state/Exporting.h"
#include "state/FieldControls.h"
#include "state/FieldStatus.h"
#include "state/Figures.h"
#include "state/FilmReel.h"
#include "state/GpuStepping.h"
#include "state/Hardware.h"
#include "state/LabProgress.h"
#include "state/LessonView.h"
#include "state/OpenedLaunch.h"
#include "state/Playback.h"
#include "state/Playground.h"
#include "state/Presenting.h"
#include "state/Problem.h"
#include "state/ProgramView.h"
#include "state/RaceDemonstration.h"
#include "state/Scene.h"
#include "state/Selection.h"
#include "state/Session.h"
#include "state/SourceSearch.h"
#include "state/StartPage.h"
#include "state/TracedOrigins.h"
#include "state/Tuning.h"
#include "state/TypedCell.h"
#include "state/View.h"
#include "state/WorkingCopy.h"

/// What the window shows and what the user requested. The App owns the only one; panels read it and write requests into
/// it; the App acts on them between frames. Nothing in here draws, computes or waits.
namespace haloscope {

struct AppState {
  Catalogue catalogue;
  std::vector<measuring::GpuSpec> gpuSpecs;

  // What the user requested, and the results.
  experiment::Choice choice;                                 ///< panels write here; the App computes when it changes
  std::shared_ptr<const experiment::Experiment> experiment;  ///< last good one; null only before the first
  std::vector<experiment::RooflinePoint> roofline;           ///< of the chapter, at the current tunables
  std::shared_ptr<const checking::CheckReport> report;       ///< of the experiment; null until it was checked
  std::optional<Problem> problem;
  ChoiceHistory history;
  TypedCell typedCell;
  ChangedOutputs changedOutputs;  ///< by the newest change of data
  CostsShown costs;               ///< of the experiment
  bool computing = false;
  bool checking = false;     ///< a report comes
  double lastLatencyMs = 0;  ///< from choice to picture

  // The texts that were opened or looked at so far, by variant, and what is done with them.
  std::map<std::string, WorkingCopy> copies;
  BugLab bugLab;
  std::map<std::string, LabProgress> labProgress;  ///< by task
  std::map<std::string, OpenedLaunch> launches;    ///< by variant
  Editing editing;
  CodeReader code;  ///< tokens of the texts on screen
  SourceSearch search;
  FileRequests fileRequests;

  // The cursor and what it sees.
  recording::Cursor cursor;
  recording::BlockView blockView;  ///< of the cursor's position; refreshed by the App when it moves
  FilmReel film;                   ///< of the experiment
  Playback playback;
  Selection selection;
  RaceDemonstration demonstration;
  Origins origins;
  Comparison comparison;
  std::optional<BeforeComparison> beforeComparison;

  FieldStatus field;
  FieldControls fieldControls;
  Playground playground;
  Hardware hardware;
  GpuStepping gpuStepping;
  Tuning tuning;
  Figures figures;
  ProgramView program;
  ClimbView climb;
  ExerciseView exercise;
  LessonView lesson;
  AwaitedScene awaited;
  Session session;
  std::filesystem::path shippedSessions;  ///< the folder of those that come with the program; empty: none
  Presenting presenting;
  Exporting exporting;
  View view;
  StartPage start;

  std::string languageProblem;  ///< why the chosen language is not shown, until the user dismisses it

  // The status bar.
  std::string gpuName;     ///< "NVIDIA H200", or empty
  std::string gpuMissing;  ///< why there is none: "no NVIDIA driver (libcuda.so.1)"
  std::string gpuTrouble;  ///< what ended the use of the GPU in this process; empty: nothing
  std::string glRenderer;  ///< GL_RENDERER
  std::string glNote;      ///< why it is not a better one; empty: it is the first choice
  double measuredCopyGBs = 0;
  double measuredFp32GFlops = 0;
  double measuredFp64GFlops = 0;
};

}  // namespace haloscope
