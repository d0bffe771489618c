# SPDX-License-Identifier: GPL-3.0-or-later
# cmake -DSOURCE=folder -DFILE=commit.c -P commit.cmake: writes the commit of the sources, if it is another one.
execute_process(COMMAND git -C "${SOURCE}" describe --always --abbrev=12 --dirty --exclude=* OUTPUT_VARIABLE commit
  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
set(text "extern const char python__commit[];\nconst char python__commit[] = \"${commit}\";\n")
set(before "")
if(EXISTS "${FILE}")
  file(READ "${FILE}" before)
endif()
if(NOT before STREQUAL text)
  file(WRITE "${FILE}" "${text}")
endif()
