#!/usr/bin/python3
"""Write the characters that the bold Chinese font has: bold_characters.py OUTPUT TEXT...

Those of the texts, and GB 2312's first level, the 3,755 most frequent ones.
"""

import sys
from pathlib import Path

output, texts = Path(sys.argv[1]), [Path(name) for name in sys.argv[2:]]
characters = set(b"".join(bytes((row, cell)) for row in range(0xB0, 0xD8) for cell in range(0xA1, 0xFF)).decode("gb2312", "ignore"))
for text in texts:
    characters |= set(text.read_text(encoding="utf-8"))
output.write_text("".join(sorted(one for one in characters if one >= "\u2010")), encoding="utf-8")
