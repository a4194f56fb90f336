#include <cstdio>
#include <exception>

#include "AppScreen.h"
#include "commands/CommandLine.h"
#include "experiment/Experiment.h"
#include "lowering/ServeCompiler.h"
#include "program/SourceLocation.h"

int main(int argc, char** argv) {
  using haloscope::ExitCode;
  if (const auto status = haloscope::lowering::serveIfAsked(argc, argv)) { return *status; }
  try {
    haloscope::AppScreen screen;
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
