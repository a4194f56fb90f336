#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "options/KernelOptions.h"
#include "options/PictureOptions.h"

namespace haloscope {

/// What is taken home: a variant, the path of a .cu file, or that of a session, whose scenes become chapters.
struct PageSubject {
  const std::string& id;
  const KernelOptions& kernel;
  const ScheduleOptions& schedule;
  const std::string& block;  ///< "x,y,z"; empty: an interior one; of a file with findings that of the first
  const Place& place;        ///< at which it opens; not given: the start, or the first finding of a file
  std::optional<std::int64_t> finding{};  ///< ... or where this one shows, counted from 1
};

}  // namespace haloscope
