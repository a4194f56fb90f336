#include "FramePacer.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace haloscope {

FramePacer::FramePacer(Surroundings surroundings) : surroundings_(std::move(surroundings)) {}

bool FramePacer::wait(double pace, double step) {
  planned_ = std::isfinite(step) ? step : 0;
  const double begin = surroundings_.now();
  for (;;) {
    // Only a frame lets time pass for playing: what is left is counted here, or it would never run out.
    const double left = step - (surroundings_.now() - begin);
    const double change = surroundings_.secondsToChange();
    const bool event = surroundings_.sleep(std::max(pace, std::min(change, left)));
    const bool stepDue = left <= change;
    if (event || change < kSleep || stepDue || (surroundings_.closing && surroundings_.closing())) { return event; }
  }
}

double FramePacer::passing(double seconds) const { return std::min(seconds, kLongestFrame + planned_); }

}  // namespace haloscope
