# Model files that the program carries inside itself, so that it finds them wherever it is
# installed.
#   cmake -DOUT=FILE.c -DFOLDER=. -DFILES="papers/001/a.yaml;..." -P Embed.cmake
set(text "// Made from model files when the program is built.\n#include \"cli/papers/papers.h\"\n\n")
set(list "")
set(number 0)
foreach(file IN LISTS FILES)
  file(READ ${FOLDER}/${file} bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(APPEND text "static const char file${number}[] = {${bytes}0};\n")
  string(APPEND list "    {\"${file}\", file${number}, sizeof file${number} - 1},\n")
  math(EXPR number "${number} + 1")
endforeach()
string(APPEND text "const SarTextFile paper_files[] = {\n${list}    {0}};\n")
file(WRITE ${OUT} "${text}")
