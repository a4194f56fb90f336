#include <cstdio>
#include <exception>

#include "commands/CommandLine.h"
#include "experiment/Experiment.h"
#include "program/SourceLocation.h"
#if HALOSCOPE_HAS_WINDOW
#include "AppScreen.h"
using ProgramScreen = haloscope::AppScreen;
#else
#include "commands/NoScreen.h"
using ProgramScreen = haloscope::NoScreen;
#endif

int main(int argc, char** argv) {
  using haloscope::ExitCode;
  try {
    ProgramScreen screen;
    return static_cast<int>(haloscope::runCommandLine(argc, argv, screen));
  } catch (const haloscope::experiment::FaultError& error) {
    std::fprintf(stderr, "haloscope: error: %s\n", error.what());
    return static_cast<int>(ExitCode::Mismatch);
  } catch (const haloscope::UserError& error) {
    std::fprintf(stderr, "haloscope: error: %s\n", error.what());
    return static_cast<int>(ExitCode::BadInput);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "haloscope: error: %s\n", error.what());
    return static_cast<int>(ExitCode::Missing);
  }
}
