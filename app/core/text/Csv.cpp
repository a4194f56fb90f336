#include "text/Csv.h"

#include "text/Printable.h"

namespace haloscope {

std::string csvField(std::string_view text) {
  static constexpr std::string_view kFormulas = "=+-@\t\r";
  std::string plain = printableLines(text);
  if (!plain.empty() && kFormulas.find(plain.front()) != std::string_view::npos) { plain.insert(0, "'"); }
  if (plain.find_first_of(",;\"\n") == std::string::npos) { return plain; }
  std::string quoted = "\"";
  for (const char c : plain) { quoted.append(c == '"' ? 2 : 1, c); }
  return quoted + "\"";
}

}  // namespace haloscope
