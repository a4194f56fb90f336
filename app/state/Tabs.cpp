#include "state/Tabs.h"

#include <algorithm>

namespace haloscope {

bool Tabs::inFront(Tab tab) const {
  return onScreen_.contains(tab) || std::ranges::find(requests_, tab) != requests_.end();
}

void Tabs::bringToFront(Tab tab) {
  closed_.erase(tab);
  requests_.push_back(tab);
}

void Tabs::close(Tab tab) {
  closed_.insert(tab);
  onScreen_.erase(tab);
  std::erase(requests_, tab);
}

}  // namespace haloscope
