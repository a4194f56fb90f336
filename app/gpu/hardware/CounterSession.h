#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "driver/Device.h"
#include "hardware/Cupti.h"

namespace haloscope::hardware {

/// Reads hardware counters over ranges of work on one device. A GPU has fewer counters than metrics, so the work is
/// repeated, pass by pass, until every metric has been counted.
///
/// One session per device at a time. Counters cover the whole GPU: nothing else should run on it meanwhile.
class CounterSession {
 public:
  /// One range of work: its name and its function. The work must have finished when the function returns.
  struct Work {
    std::string name;
    std::function<void()> run;
  };

  /// Prepares to count `metrics`, by CUPTI's names with their suffix: "dram__bytes_read.sum". `library`: CUPTI's file;
  /// empty: searched. Throws Unavailable naming what is missing or how to permit access to the counters.
  CounterSession(std::shared_ptr<const gpu::Device> device, std::vector<std::string> metrics,
                 const std::string& library = {});
  CounterSession(const CounterSession&) = delete;
  CounterSession& operator=(const CounterSession&) = delete;
  ~CounterSession();

  /// Runs the work once per pass; `prepare` runs before each and is not counted. Returns the metrics' values for each
  /// range, in the order of both lists. Throws Unavailable, and what the functions throw.
  std::vector<std::vector<double>> measure(const std::vector<Work>& work, const std::function<void()>& prepare);

  /// Number of passes of the last measure().
  [[nodiscard]] int passes() const { return passes_; }

 private:
  void makeHost();
  void makeConfig();
  [[nodiscard]] std::vector<double> valuesOf(const std::string& range, std::size_t ranges);

  std::shared_ptr<const gpu::Device> device_;
  Cupti cupti_;
  std::vector<std::string> metrics_;
  std::vector<const char*> names_;  ///< pointers into metrics_, for CUPTI
  std::vector<std::uint8_t> availability_, config_, data_;
  Cupti::Host* host_ = nullptr;
  Cupti::Range* range_ = nullptr;
  int passes_ = 0;
};

}  // namespace haloscope::hardware
