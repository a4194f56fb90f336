#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "measuring/GpuSpecs.h"
#include "running/ProgramFiles.h"
#include "running/ProgramRun.h"
#include "state/ProgramView.h"
#include "work/Worker.h"

namespace haloscope {

/// Executes whole programs in the background. A newer request replaces a stale one, whether waiting or running.
class ProgramRunner {
 public:
  /// How programs are executed.
  struct Execution {
    std::function<running::RunOptions(const measuring::GpuSpec&)> options;  ///< for the GPU that the program sees
    std::function<running::ProgramRun(running::ProgramFiles&, const running::RunOptions&)> run;  ///< running::runLinked
  };

  struct Request {
    std::filesystem::path file;    ///< empty: none is chosen
    std::filesystem::path folder;  ///< whose program is executed instead, if it has one main(); empty: none
    std::map<std::filesystem::path, std::string> texts{};  ///< that differ from their files
    measuring::GpuSpec gpu{};
    std::map<std::string, std::string> defines{};             ///< macros, as by -D
    std::vector<std::string> arguments{};                     ///< of main()
    std::vector<running::NamedFile> files{};                  ///< that it can open
    std::shared_ptr<const running::CompiledHost> compiled{};  ///< of an earlier run
  };
  struct Result {
    std::shared_ptr<const ShownProgram> executed{};  ///< null: there is nothing to execute
    std::string missing{};                           ///< why, in one sentence
    bool ofFolder = false;                           ///< it is the folder's program
  };

  ProgramRunner(work::Pool& pool, Execution execution);

  void request(Request request);
  /// Asks the program to end; what it did until then is the result.
  void stop() { stopping_.request_stop(); }
  [[nodiscard]] bool busy() const { return worker_.busy(); }
  /// The next result of the newest request, once: what was executed, then the same judged. Never blocks.
  std::optional<Result> poll() { return worker_.poll(); }
  /// Waits for it.
  void finish() { worker_.finish(); }
  /// How far the newest request has come.
  [[nodiscard]] running::RunProgress progress() const;

 private:
  struct Progress {
    std::mutex mutex;
    running::RunProgress now;
  };
  struct Job {
    Request request;
    std::stop_token stopping;
    std::shared_ptr<Progress> progress;
  };

  void execute(const Job& job, work::Delivery<Result>& delivery) const;

  const Execution execution_;
  std::stop_source stopping_;
  std::shared_ptr<Progress> progress_;  ///< of the newest request
  work::Worker<Job, Result> worker_;
};

}  // namespace haloscope
