#include "state/Scene.h"

namespace haloscope {

bool sameText(const SceneText& a, const SceneText& b) {
  const opening::LaunchOverrides& x = a.launch;
  const opening::LaunchOverrides& y = b.launch;
  return a.kernel == b.kernel && a.file == b.file && a.source == b.source && a.headers == b.headers &&
         a.entry == b.entry && a.arguments == b.arguments && x.sameSettings(y);
}

}  // namespace haloscope
