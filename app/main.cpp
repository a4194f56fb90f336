#include <cstdio>
#include <exception>

#include "commands/CommandLine.h"
#include "experiment/Experiment.h"
#include "lowering/ServeCompiler.h"
#include "program/SourceLocation.h"
#include "text/Print.h"
#if HALOSCOPE_HAS_WINDOW
#include "AppScreen.h"
using ProgramScreen = haloscope::AppScreen;
#else
#include "commands/NoScreen.h"
using ProgramScreen = haloscope::NoScreen;
#endif

int main(int argc, char** argv) {
  using haloscope::ExitCode, haloscope::printText;
  if (const auto status = haloscope::lowering::serveIfAsked(argc, argv)) { return *status; }
  try {
    ProgramScreen screen;
    return static_cast<int>(haloscope::runCommandLine(argc, argv, screen));
  } catch (const haloscope::experiment::FaultError& error) {
    printText(stderr, "haloscope: error: {}\n", error.what());
    return static_cast<int>(ExitCode::Mismatch);
  } catch (const haloscope::UserError& error) {
    printText(stderr, "haloscope: error: {}\n", error.what());
    return static_cast<int>(ExitCode::BadInput);
  } catch (const std::exception& error) {
    printText(stderr, "haloscope: error: {}\n", error.what());
    return static_cast<int>(ExitCode::Missing);
  }
}
