#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "catalogue/Catalogue.h"
#include "catalogue/KernelFile.h"
#include "experiment/Experiment.h"
#include "inputs/ChosenData.h"
#include "opening/OpenedFile.h"
#include "options/ProgramLaunches.h"
#include "options/ProgramOptions.h"

/// Which kernel a command is about, and how to launch it, as the command line says it. An option that would be ignored
/// is an error.
namespace haloscope {

/// -D NAME=VALUE, --size N and --blocks X[,Y[,Z]] as given.
struct KnobOptions {
  std::vector<std::string> defines;
  std::optional<std::int64_t> size;
  std::string blocks;  ///< of the grid, instead of a size; empty: not given

  [[nodiscard]] bool given() const { return size || !blocks.empty() || !defines.empty(); }
  /// What they mean for `file`: --size sets every size, --blocks those that make its grid, a -D then overrides one.
  /// Throws InputError, also where there is no size to be set and for a grid that no size makes.
  [[nodiscard]] Bindings bindings(const KernelFile& file) const;
  /// The first option, as given, that sets a size of `file`: "--size 64", "-D N=64"; empty if none does.
  [[nodiscard]] std::string sizeOption(const KernelFile& file) const;
  /// The sizes and tunables of `file` that they set.
  [[nodiscard]] std::set<std::string> namesSet(const KernelFile& file) const;
};

/// How the block's warps run, and which barriers they meet.
struct ScheduleOptions {
  std::optional<simt::WarpOrder> order;
  std::optional<std::uint64_t> seed;  ///< of WarpOrder::Random
  std::vector<int> withoutBarriers;   ///< lines of the text

  /// Throws InputError for a seed that nothing uses.
  void apply(experiment::Choice& choice) const;
  /// Throws InputError for a line without a barrier.
  void expectBarriers(const Program& program) const;
};

/// The options of every command that takes a variant or a .cu file.
struct KernelOptions {
  std::string kernel;  ///< which of a file's; empty: the first, or all
  KnobOptions knobs;
  std::string launch;              ///< "GX,GY,GZ,BX,BY,BZ"; empty: as proposed
  std::vector<std::string> binds;  ///< PARAM=VALUE
  std::optional<std::int64_t> sharedBytes;
  std::vector<std::string> data;  ///< NAME=SPEC, see inputs::choose
  ProgramOptions program;

  /// Whether none of them says anything about a launch.
  [[nodiscard]] bool leaveLaunch() const { return !knobs.given() && launch.empty() && binds.empty() && !sharedBytes; }
  /// The launch settings that they give for any file. Throws InputError for a malformed option.
  [[nodiscard]] opening::LaunchOverrides overrides() const;
  /// The same for this text: --size, and a -D that names a parameter, are bindings of its kernels. Throws InputError
  /// for an option without effect on any kernel of the text.
  [[nodiscard]] opening::LaunchOverrides overridesFor(const std::filesystem::path& path, const std::string& text) const;
  /// The tunables of a text with a header among the -D.
  [[nodiscard]] Bindings tunablesOf(const KernelFile& file) const;
  /// Throws InputError if one of them is given that only affects a file's kernel.
  void expectOnlyKnobs(const std::string& id) const;
};

/// A file's kernels, and the launch settings that were given.
struct OpenedWithOptions {
  opening::OpenedFile file;
  opening::LaunchOverrides overrides;
  std::map<std::string, std::shared_ptr<const LaunchData>> data;  ///< see ProgramLaunches
};

/// Opens a file with the settings of `options`. `executed`: launches of the program that the file belongs to; where
/// none are given, its own program is executed for them. Throws InputError, also for an option that would be ignored.
[[nodiscard]] OpenedWithOptions openWithOptions(const std::filesystem::path& path, const KernelOptions& options,
                                                std::optional<ProgramLaunches> executed = std::nullopt);

/// The kernel that a command is about.
struct ChosenKernel {
  KernelFile file;
  Bindings bindings;
  opening::LaunchOverrides overrides{};  ///< of a kernel from a file, which is opened with them
  inputs::ChosenData data{};

  /// An interior block of it.
  [[nodiscard]] experiment::Choice choice() const;
};

/// What --data says. Throws InputError.
[[nodiscard]] inputs::ChosenData chosenData(const std::vector<std::string>& options);

/// The bindings with those sizes and tunables of `file` changed that the numbers of chosen arrays have another length
/// than. Those in `fixed` stay.
[[nodiscard]] Bindings fittingSizes(const KernelFile& file, Bindings bindings, const inputs::ChosenData& data,
                                    std::set<std::string> fixed);

/// Whether the target is the path of a .cu file, or of any other file, and not a variant's id.
[[nodiscard]] bool isFile(const std::string& target);

/// A variant by its id, or a kernel of a .cu file by its path. A list or file of numbers for an array sets those sizes
/// and tunables of its shape that no option sets. Throws InputError or SourceError.
[[nodiscard]] ChosenKernel chosenKernel(const Catalogue& catalogue, const std::string& target,
                                        const KernelOptions& options);

/// The block that "X,Y,Z" names. Throws InputError, also where the grid has no such block.
[[nodiscard]] Dim3 parseBlock(const std::string& text, const Dim3& grid);

/// The message for a target that is neither a variant nor a file, with the variant that may be meant.
[[nodiscard]] std::string unknownTarget(const Catalogue& catalogue, const std::string& target);

}  // namespace haloscope
