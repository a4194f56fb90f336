#include <fmt/format.h>
#include <cstdio>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <chrono>
#include <system_error>
#include <utility>

#include "App.h"
#include "checking/Check.h"
#include "checking/LabVerdict.h"
#include "commands/Commands.h"
#include "commands/KernelsBeside.h"
#include "documents/FileText.h"
#include "experiment/Experiment.h"
#include "figures/BlockBoundary.h"
#include "figures/SmallGrid.h"
#include "figures/StencilShape.h"
#include "gpu/Device.h"
#include "measuring/GpuSpecs.h"
#include "program/Precision.h"
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
    return checking::checkInLab(lab, experiment, stop);
  };
  options.gpuSpecs = measuring::readGpuSpecs(assets / "gpus.json");
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

/// The file's text with what was said of its launch. Throws InputError if it cannot be read.
OpenedText openedText(const fs::path& path, const std::string& kernel, opening::LaunchOverrides overrides) {
  return {fs::absolute(path).lexically_normal(), opening::readOpenedText(path), std::move(overrides), kernel};
}

/// stb writes PNG, whatever the name says.
void expectPng(const fs::path& path) {
  std::string extension = path.extension().string();
  std::ranges::transform(extension, extension.begin(), [](unsigned char c) { return std::tolower(c); });
  if (extension != ".png") {
    throw InputError(fmt::format("-o {}: pictures are written as PNG; give a name that ends in .png", path.string()));
  }
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
  place.end = position.end;
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

/// What the picture's figure is to show. Throws InputError for what the kernel has not.
void addFigure(AppOptions& app, PictureOptions& picture, const RenderOptions& options, const ChosenKernel& chosen,
               const experiment::Experiment& recorded) {
  const std::string& id = options.figure;
  app.figure = id;
  if (id.empty()) { return; }
  const FigureOptions& said = options.ofFigure;
  Figures& figures = app.figures;
  if (said.target.given()) { app.gpuSpec = said.target.indexAmong(app.gpuSpecs); }
  if (id == "discretise") {
    figures.discretise.points = said.points;
    if (said.type) { figures.discretise.choose(realTypeNamed(*said.type)); }
  } else if (id == "opb") {
    figures.opPerByte.tunable = tunableOf(said, chosen.file);
  } else if (id == "tail" && !options.kernel.knobs.sizeOption(chosen.file).empty()) {
    figures.tail.begin(chosen.file, recorded.bindings);
  } else if (id == "registers") {
    figures.registers.ofSizes = said.sizes;
  } else if (id == "boundary") {
    expectPlane(said, figures::blockBoundary(recorded));
    figures.boundary.plane = said.plane;
    if (said.plane) { picture.firstFinding = false; }  // of the block in which the plane was looked for
  } else if (id == "layout") {
    const figures::StencilShape shape = figures::stencilShape(recorded);
    figures.layout = layoutOf(said, recorded, shape);
    if (figures.layout.ofWarp) {
      if (picture.output) { throw InputError("--output-cell and --warp both select a thread: give one of them"); }
      picture.warp = figures.layout.warpIndex;
      picture.firstFinding = false;
    } else if (said.edge && shape.reason.empty()) {
      const figures::DrawnEdges drawn = figures::drawnEdges(shape);
      if (*said.edge < drawn.smallest || *said.edge > drawn.largest) {
        throw InputError(fmt::format(
            "--edge {}: grids of {} to {} points along each axis are drawn; \"haloscope figure layout\" prints others",
            *said.edge, drawn.smallest, drawn.largest));
      }
    }
  }
}

constexpr const char* kFirstVariant = "stencil/tiled";

/// The window shows a file that has no kernel yet, too: only what was said of its launch must have a meaning.
OpenedText openedFile(const WindowOptions& options) {
  const std::string text = opening::readOpenedText(options.file);
  const opening::LaunchOverrides overrides = options.kernel.overridesFor(options.file, text);
  if (!overrides.silent() || !options.kernel.kernel.empty()) {
    const opening::OpenedFile opened = openAsTold(options.file, options.kernel).file;
    const bool known = std::ranges::any_of(opened.kernels, [&](const opening::ProposedKernel& one) {
      return options.kernel.kernel.empty() || one.file.kernel == options.kernel.kernel;
    });
    if (!known && !opened.kernels.empty()) {
      throw InputError(fmt::format("--kernel {}: {} has no such kernel", options.kernel.kernel, options.file.string()));
    }
  }
  return openedText(options.file, options.kernel.kernel, overrides);
}

/// Adds what is to stand beside the first variant.
void addCompared(AppOptions& app, const CompareOptions& options, const KernelFile& first) {
  for (const KernelFile& file : kernelsBeside(app.catalogue, first, options.targets)) {
    const bool related = file.chapter == first.chapter || file.isOpened() || first.isOpened();
    if (!related) {  // the command "compare" tells the shapes
      throw InputError(fmt::format(
          "{} has no output cell in common with {}: variants of one chapter stand side by side", file.id, first.id));
    }
    app.compare.push_back(file.id);
  }
  app.lineUp = options.lineUp;
}

}  // namespace

ExitCode renderCommand(const Catalogue& catalogue, const RenderOptions& told) {
  RenderOptions options = told;
  // The figure of the boundary says nothing about a step.
  if (options.figure == "boundary") { options.ofFigure.plane = std::exchange(options.position.plane, std::nullopt); }
  expectPng(options.output);
  const ChosenKernel chosen = chosenKernel(catalogue, options.id, options.kernel);
  const KernelFile& file = chosen.file;
  std::optional<OpenedText> opened;
  if (file.isOpened()) { opened = openedText(options.id, file.kernel, chosen.overrides); }
  experiment::Choice choice{file.id, chosen.bindings, std::nullopt};
  options.schedule.apply(choice);
  options.schedule.expectBarriers(experiment::compile(file, file.bind(choice.bindings)));
  if (!options.block.empty()) {
    choice.block = parseBlock(options.block, file.configuration(file.bind(choice.bindings)).grid);
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
  addCompared(app, options.compare, file);
  app.choice = choice;
  app.open = std::move(opened);
  app.playing = false;
  app.light = options.light;
  app.showField = options.field;
  app.showTuning = options.tuning;
  addFigure(app, picture, options, chosen, *recorded);
  app.memoryTab = options.addresses ? MemoryTab::Addresses : options.origins ? MemoryTab::Origins : MemoryTab::Memory;
  app.editing = options.edit;
  app.bugLabOpen = options.bugLab;
  app.hardware = options.hardware;
  app.gpuStepping = options.onGpu;
  render::OffscreenOptions screen = offscreenOptions(options.width, options.height);
  bool onGpu = false;
  const auto draw = [&] {
    auto context = render::Context::offscreen(screen);
    onGpu = !context->isSoftware();
    if (!context->rendererNote().empty()) {
      std::fprintf(stderr, "haloscope: warning: drawn by %s: %s\n", context->rendererName().c_str(),
                   context->rendererNote().c_str());
    }
    App window(app, std::move(context));
    window.picture(picture).writePng(options.output);
    // The picture says so, too; a script looks at the exit code.
    if (options.onGpu && window.state().experiment->recording->source != recording::Recording::Source::Gpu) {
      throw MissingError(window.state().gpuStepping.problem);
    }
    if (options.hardware && !window.state().hardware.missing.empty()) {
      throw MissingError(window.state().hardware.missing);
    }
  };
  try {
    try {
      draw();
    } catch (const render::ContextError& lost) {
      // The processor draws the same picture, where Mesa is.
      if (!onGpu) { throw; }
      screen.software = true;
      std::fprintf(stderr, "haloscope: warning: %s; drawing with the processor\n", lost.what());
      draw();
    }
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
  app.showTuning = options.tuning;
  app.choice.kernel = kFirstVariant;
  if (options.file.empty()) {
    if (!options.kernel.kernel.empty()) { app.choice.kernel = options.kernel.kernel; }
    KernelOptions knobs = options.kernel;
    knobs.kernel.clear();
    knobs.expectOnlyKnobs(app.choice.kernel);
    const bool turned = knobs.knobs.size || !knobs.knobs.defines.empty();
    const KernelFile& variant = catalogue.at(app.choice.kernel);
    if (turned) { app.choice.bindings = knobs.knobs.bindings(variant); }
  } else if (fs::is_directory(options.file)) {
    app.folder = fs::absolute(options.file).lexically_normal();
  } else {
    app.open = openedFile(options);
  }
  const KernelFile first =
      app.open ? openedVariant(app.catalogue, app.open->path) : app.catalogue.at(app.choice.kernel);
  if (!options.compare.targets.empty()) { addCompared(app, options.compare, first); }
  try {
    std::unique_ptr<render::Context> context;
    if (options.offscreen) {
      context = render::Context::offscreen(offscreenOptions(1280, 720));
    } else {
      app.settings = settingsFile();
      app.memory = app.settings.parent_path();
      render::WindowContextOptions window;
      window.verticalSync = !options.uncapped;
      context = render::Context::window(window);
    }
    App(std::move(app), std::move(context)).run(loop);
  } catch (const render::ContextError& error) { throw MissingError(error.what()); }
  return ExitCode::Good;
}

}  // namespace haloscope
