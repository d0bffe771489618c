# SPDX-License-Identifier: GPL-3.0-or-later
# cmake -DINPUT=file -DNAME=identifier -DOUTPUT=file.c -P embed_lines.cmake
# Writes the lines of a text file as `const char *const NAME[]`, ended by NULL: lines, because ISO C promises no more
# than 4095 characters for one literal.
file(STRINGS ${INPUT} lines)
get_filename_component(source ${INPUT} NAME)
set(text "/* Made from ${source}; do not edit. */\nextern const char *const ${NAME}[];\nconst char *const ${NAME}[] = {\n")
foreach(line IN LISTS lines)
  string(REPLACE "\\" "\\\\" line "${line}")
  string(REPLACE "\"" "\\\"" line "${line}")
  string(APPEND text "    \"${line}\",\n")
endforeach()
file(WRITE ${OUTPUT} "${text}    0,\n};\n")
