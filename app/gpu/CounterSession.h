#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gpu/Cupti.h"
#include "gpu/Device.h"

namespace haloscope::gpu {

/// Reads hardware counters of pieces of work ("ranges") of one device. A GPU has fewer counters than there are
/// questions: the work is done again, pass by pass, until every metric was counted.
///
/// One session at a time and device. Counters belong to the whole GPU: nothing else should run on it meanwhile.
class CounterSession {
 public:
  /// One range of the work: what it is called, and how it is done. It must have finished when the function returns.
  struct Work {
    std::string name;
    std::function<void()> run;
  };

  /// Prepares to count `metrics`, by CUPTI's names with their suffix: "dram__bytes_read.sum". `library`: CUPTI's file;
  /// empty: searched. Throws Unavailable saying what is missing or how counters are allowed.
  CounterSession(std::shared_ptr<const Device> device, std::vector<std::string> metrics,
                 const std::string& library = {});
  CounterSession(const CounterSession&) = delete;
  CounterSession& operator=(const CounterSession&) = delete;
  ~CounterSession();

  /// Does the work once for each pass; `prepare` comes before each and is not counted. Returns the metrics' values for
  /// each range, in the order of both lists. Throws Unavailable, and what the functions throw.
  std::vector<std::vector<double>> measure(const std::vector<Work>& work, const std::function<void()>& prepare);

  /// How often the last measure() did its work.
  [[nodiscard]] int passes() const { return passes_; }

 private:
  void makeHost();
  void makeConfig();
  [[nodiscard]] std::vector<double> valuesOf(const std::string& range, std::size_t ranges);

  std::shared_ptr<const Device> device_;
  Cupti cupti_;
  std::vector<std::string> metrics_;
  std::vector<const char*> names_;  ///< of metrics_, as CUPTI takes them
  std::vector<std::uint8_t> availability_, config_, data_;
  Cupti::Host* host_ = nullptr;
  Cupti::Range* range_ = nullptr;
  int passes_ = 0;
};

}  // namespace haloscope::gpu
