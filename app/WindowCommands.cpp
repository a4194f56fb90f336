#include <fmt/format.h>
#include <cstdio>

#include <charconv>
#include <chrono>
#include <system_error>

#include "App.h"
#include "Commands.h"
#include "FileText.h"
#include "experiment/ExperimentRunner.h"
#include "experiment/GpuSpecs.h"
#include "experiment/LabVerdict.h"
#include "gpu/Device.h"
#include "program/ResourceFolder.h"
#include "render/Context.h"
#include "render/Image.h"

namespace haloscope {

namespace fs = std::filesystem;

namespace {

AppOptions appOptions(const Catalogue& catalogue) {
  AppOptions options;
  options.catalogue = catalogue;
  const fs::path assets = resourceFolder("assets", HALOSCOPE_SOURCE_DIR);
  try {
    options.bugLab = BugLab::read(assets / "buglab");
  } catch (const std::exception& problem) {  // the rest of the program needs no tasks
    std::fprintf(stderr, "haloscope: warning: %s\n", problem.what());
  }
  options.checker = [lab = options.bugLab](const experiment::Experiment& experiment, const std::stop_token& stop) {
    return experiment::checkInLab(lab, experiment, stop);
  };
  options.gpuSpecs = experiment::readGpuSpecs(assets / "gpus.json");
  options.shaders = resourceFolder("shaders", HALOSCOPE_SOURCE_DIR);
  options.fonts = {assets / "fonts"};
  return options;
}

/// A context without a display, on the GPU that CUDA uses if there is one, so that the field is drawn from its memory.
render::OffscreenOptions offscreenOptions(int width, int height) {
  render::OffscreenOptions options;
  options.width = width;
  options.height = height;
  if (gpu::findDevice().device) { options.cudaDevice = 0; }
  return options;
}

/// Throws InputError if it cannot be read.
OpenedText openedText(const fs::path& path) {
  std::optional<std::string> text = readWhole(path);
  if (!text) { throw InputError(fmt::format("{}: cannot be read as a file", path.string())); }
  return {fs::absolute(path).lexically_normal(), std::move(*text)};
}

/// Throws SourceError or InputError.
KernelFile readOpened(const Catalogue& catalogue, const OpenedText& opened) {
  experiment::Request request{{}, openedVariant(catalogue, opened.path), true};
  request.file.text = opened.text;
  return experiment::readKernel(request).proposed.file;
}

/// "x,y,z"; throws InputError.
Dim3 parseBlock(const std::string& text) {
  Dim3 block{0, 0, 0};
  std::uint32_t* const axes[] = {&block.x, &block.y, &block.z};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto [next, error] = std::from_chars(at, end, *axes[axis]);
    const bool last = axis == 2;
    if (error != std::errc() || (last ? next != end : (next == end || *next != ','))) {
      throw InputError(fmt::format("--block {}: write X,Y,Z, three whole numbers", text));
    }
    at = next + (last ? 0 : 1);
  }
  return block;
}

/// Where the picture is to be taken; throws InputError for a place that the recording does not have.
Place placeOf(const RenderPosition& position, const recording::Recording& recording) {
  const auto check = [](const char* what, std::int64_t value, std::size_t last) {
    if (value < 0 || static_cast<std::size_t>(value) > last) {
      throw InputError(fmt::format("--{} {}: this block's execution has 0 to {}", what, value, last));
    }
    return static_cast<std::size_t>(value);
  };
  Place place;
  if (position.end) { place.step = recording.steps.size(); }
  if (position.step) { place.step = check("step", *position.step, recording.steps.size()); }
  if (position.barrier) { place.interval = check("barrier", *position.barrier, recording.intervals.size() - 1); }
  if (position.plane) {
    if (recording.planes.empty()) {
      throw InputError(fmt::format("--plane {}: this kernel does not march through planes", *position.plane));
    }
    place.plane = check("plane", *position.plane, recording.planes.size() - 1);
  }
  return place;
}

}  // namespace

KernelFile kernelNamed(const Catalogue& catalogue, const std::string& id) {
  return id.ends_with(".cu") ? readOpened(catalogue, openedText(id)) : catalogue.at(id);
}

ExitCode renderCommand(const Catalogue& catalogue, const RenderOptions& options) {
  std::optional<OpenedText> opened;
  if (options.id.ends_with(".cu")) { opened = openedText(options.id); }
  const KernelFile file = opened ? readOpened(catalogue, *opened) : catalogue.at(options.id);
  experiment::Choice choice{file.id, options.knobs.bindings(file), std::nullopt};
  options.schedule.apply(choice);
  if (!options.block.empty()) {
    choice.block = parseBlock(options.block);
    const Dim3 grid = file.configuration(file.bind(choice.bindings)).grid;
    if (choice.block->x >= grid.x || choice.block->y >= grid.y || choice.block->z >= grid.z) {
      throw InputError(fmt::format("--block {}: the grid has {}×{}×{} blocks", options.block, grid.x, grid.y, grid.z));
    }
  }
  const fs::path folder = options.output.has_parent_path() ? options.output.parent_path() : fs::path(".");
  if (!fs::is_directory(folder)) {
    throw InputError(fmt::format("-o {}: there is no folder {}", options.output.string(), folder.string()));
  }
  experiment::RunOptions record;
  record.countGrid = false;
  PictureOptions picture;
  const auto recorded = experiment::run(file, choice, record);
  picture.place = placeOf(options.position, *recorded->recording);
  if (!options.cell.empty()) {
    const ObjectId output = recorded->footprint.output;
    if (output == kNone) { throw InputError(fmt::format("--output-cell {}: the block writes no array", options.cell)); }
    picture.output =
        parseCell(options.cell, recorded->program->objects[output].name, recorded->footprint.outputExtents);
    if (!recorded->writes.writer(*picture.output)) {
      throw InputError(fmt::format("--output-cell {}: the block does not write this element", options.cell));
    }
  }
  picture.sweeps = options.sweeps;
  const RenderPosition& at = options.position;
  picture.firstFinding = !at.step && !at.barrier && !at.plane && options.block.empty() && options.cell.empty();
  if (at.finding) {
    if (*at.finding < 1) { throw InputError(fmt::format("--finding {}: findings count from 1", *at.finding)); }
    picture.finding = static_cast<std::size_t>(*at.finding - 1);
  }

  AppOptions app = appOptions(catalogue);
  app.choice = choice;
  app.open = std::move(opened);
  app.playing = false;
  app.light = options.light;
  app.showField = options.field;
  app.memoryTab = options.addresses ? MemoryTab::Addresses : options.origins ? MemoryTab::Origins : MemoryTab::Memory;
  app.editing = options.edit;
  app.bugLabOpen = options.bugLab;
  try {
    App window(std::move(app), render::Context::offscreen(offscreenOptions(options.width, options.height)));
    window.picture(picture).writePng(options.output);
  } catch (const render::ContextError& error) {
    throw MissingError(error.what());
  } catch (const render::ImageError& error) { throw InputError(error.what()); }
  return ExitCode::Good;
}

ExitCode windowCommand(const Catalogue& catalogue, const WindowOptions& options) {
  if (options.offscreen && options.frames <= 0) {
    throw InputError("--offscreen shows nothing: give --frames as well, or use the command \"render\"");
  }
  LoopOptions loop;
  loop.started = options.started;
  loop.uncapped = options.uncapped;
  loop.frames = options.frames;
  AppOptions app = appOptions(catalogue);
  app.choice.kernel = catalogue.at(options.id).id;
  if (!options.file.empty()) { app.open = openedText(options.file); }
  try {
    std::unique_ptr<render::Context> context;
    if (options.offscreen) {
      context = render::Context::offscreen(offscreenOptions(1280, 720));
    } else {
      app.settings = settingsFile();
      app.memory = app.settings.parent_path();
      render::WindowOptions window;
      window.verticalSync = !options.uncapped;
      context = render::Context::window(window);
    }
    App(std::move(app), std::move(context)).run(loop);
  } catch (const render::ContextError& error) { throw MissingError(error.what()); }
  return ExitCode::Good;
}

}  // namespace haloscope
