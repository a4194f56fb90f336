#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "driver/Device.h"
#include "field/FieldBuffers.h"
#include "field/FieldPreparation.h"
#include "field/FieldSweeper.h"
#include "state/AppState.h"

namespace haloscope::work {
class Pool;
}

namespace haloscope::field {

/// One field: filled, swept as often as it is asked for, and passed on to what is drawn, by whatever computes it. The
/// GPU sweeps it in this process or in a child process, else the emulator does.
///
/// Make, use and destroy it on the thread with the OpenGL context. Nothing here waits for the GPU or a worker, except
/// where it says so. What may fail throws gpu::Error, InputError.
class SweptField {
 public:
  /// `hostCopy`: do not try interop. `longestRun` holds for the sweeps of a frame, see overdue().
  SweptField(work::Pool& pool, bool hostCopy, std::chrono::milliseconds longestRun)
      : pool_(pool), hostCopy_(hostCopy), longestRun_(longestRun) {}

  /// Sweeps this one from now on, with the values of the old one where only its kernel is another. Waits for sweeps
  /// elsewhere. True: it starts again at sweep 0. Not while sweepingHere().
  bool adopt(PreparedField prepared, const std::shared_ptr<const gpu::Device>& device);
  /// Back to sweep 0. False: its child process has ended, so that another field must be adopted. Not while
  /// sweepingHere().
  bool restart();
  /// Drops the field: it cannot be swept, and `why` is its problem().
  void giveUp(const std::string& why);
  /// Drops what is on a GPU that is lost.
  void leaveGpu();

  // The parts of a frame. Each returns true if what is shown has changed.
  /// Passes on what sweeps have left, once they have ended. Not before: OpenGL would wait for a copy that waits for a
  /// kernel, and one that never ends would stop the window with it.
  bool collect();
  /// Uploads the next part of what it is filled with.
  bool upload();
  /// Sweeps as `controls` ask, consuming singleSweep; not while filling(). Clears `run` if the sweeps failed.
  bool sweep(FieldControls& controls);

  /// Sets elements of an array, by its place: runs of (first element, how many), to one value. Only while nothing is
  /// swept or filled; false: not now.
  bool paint(std::size_t place, std::span<const std::pair<std::int64_t, std::int64_t>> runs, double value);

  /// The next sweeps wait for a frame, in which residual() and paint() find none under way.
  void holdOnce() { held_ = true; }
  /// Without a window on screen: more sweeps may begin at a time than fit into a frame.
  void setUnwatched(bool unwatched) { unwatched_ = unwatched; }
  /// What is swept; empty if there is nothing to sweep.
  [[nodiscard]] const PreparedField& prepared() const { return field_; }
  /// Where it is drawn from; null: there is no field.
  [[nodiscard]] const FieldBuffers* buffers() const { return buffers_.get(); }
  [[nodiscard]] bool filling() const { return !upload_.empty(); }
  /// On the GPU, in this process: sweeps that collect() has not seen the end of.
  [[nodiscard]] bool sweepingHere() const { return sweeping_; }
  /// They have taken too long, and may never end.
  [[nodiscard]] bool overdue() const;
  /// It is swept on and on.
  [[nodiscard]] bool running() const { return running_; }
  /// It is swept on and on, or a number of sweeps is still wanted.
  [[nodiscard]] bool active() const { return running_ || pendingSweeps_ > 0 || behind(); }
  /// True while the next frame would show something else, but for sweeps that run on and on.
  [[nodiscard]] bool working() const;
  /// What is left to be solved by the header's residual, now; none: there is no residual, or sweeps are under way.
  [[nodiscard]] std::optional<FieldStatus::Residual> residual() const;
  [[nodiscard]] bool hasResidual() const;
  /// Of the last second or so; 0: it is not swept on and on.
  [[nodiscard]] double sweepsPerSecond() const { return rate_; }
  /// Since its beginning: those queued on the GPU in this process, or ended elsewhere.
  [[nodiscard]] std::uint64_t sweeps() const { return sweeps_; }
  /// Milliseconds of the last sweeps, newest last; empty: no GPU took part.
  [[nodiscard]] bool byMachineCode() const;
  [[nodiscard]] std::vector<double> times() const;
  /// Why it is not swept, or not on the GPU; empty if nothing is wrong.
  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  using Clock = std::chrono::steady_clock;

  /// Gives every holder of the field these values; upload() passes them to the buffers, part by part.
  void fill(FieldValues values);
  /// Of a kernel's arrays that no sweep changes: those whose beginning is another than that of `before`, all where
  /// nothing was swept.
  [[nodiscard]] std::vector<std::size_t> staleConstants(const FieldValues& before) const;
  void sweepOnGpu(const FieldControls& controls);
  /// How many sweeps may begin now; 0: none yet.
  [[nodiscard]] int allowed(const FieldControls& controls, int affordable);
  /// Sweeps are missing to those that it begins with.
  [[nodiscard]] bool behind() const { return goal_ > sweeps_; }
  void measureRate();
  [[nodiscard]] double budgetMs() const;
  /// Of sweeps that do not compete with drawing for the GPU: until the next frame comes.
  [[nodiscard]] double budgetBesideMs() const;
  bool sweepElsewhere(FieldControls& controls);

  work::Pool& pool_;
  bool hostCopy_;
  std::chrono::milliseconds longestRun_;

  std::unique_ptr<FieldBuffers> buffers_;
  PreparedField field_;                      ///< after the buffers: its end waits for the sweeps that use them
  FieldValues upload_;                       ///< what the field is being filled with; empty: it is filled
  std::size_t uploaded_ = 0;                 ///< bytes of it
  std::unique_ptr<FieldSweeper> elsewhere_;  ///< what sweeps the field where no runner does
  int begunElsewhere_ = 0;                   ///< sweeps that it has underway
  std::string problem_;

  bool running_ = false;
  bool unwatched_ = false;
  bool held_ = false;
  int pendingSweeps_ = 0;
  std::uint64_t sweeps_ = 0;
  std::uint64_t goal_ = 0;  ///< FieldControls::goal, of this field
  bool sweeping_ = false;   ///< on the GPU, in this process, since:
  Clock::time_point sweepsBegan_;
  Clock::time_point lastBegan_;
  Clock::time_point lastFrame_;
  double frameMs_ = 0;  ///< from the frame before to the last
  // The rate: since rateBegan_, rateSweeps_ were counted.
  Clock::time_point rateBegan_;
  std::uint64_t rateSweeps_ = 0;
  double rate_ = 0;
};

}  // namespace haloscope::field
