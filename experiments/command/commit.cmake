# SPDX-License-Identifier: GPL-3.0-or-later
# cmake -DSOURCE=folder -DFILE=commit.c -P commit.cmake: writes the commit of the sources, if it is another one. A clone is asked; an
# archive that git made has it in commit.txt (.gitattributes). "-dirty": a file of the clone was changed. "": not known.
foreach(name GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE) # a hook has them, of whichever repository
  unset(ENV{${name}})
endforeach()
set(ENV{GIT_OPTIONAL_LOCKS} 0) # a build does not stand in the way of who works in the clone
set(git git -C "${SOURCE}" -c safe.directory=*)
set(commit "")
# Sources inside of another repository are not of its commit.
execute_process(COMMAND ${git} rev-parse --show-prefix OUTPUT_VARIABLE prefix RESULT_VARIABLE code ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
if(code EQUAL 0 AND prefix STREQUAL "")
  execute_process(COMMAND ${git} describe --always --abbrev=12 --dirty --exclude=* OUTPUT_VARIABLE commit
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(commit STREQUAL "" AND EXISTS "${SOURCE}/experiments/command/commit.txt")
  file(STRINGS "${SOURCE}/experiments/command/commit.txt" commit REGEX "^[0-9a-f]+$" LIMIT_COUNT 1)
  string(SUBSTRING "${commit}" 0 12 commit)
endif()
set(text "#include \"corridor.h\"\n\nconst char command__commit[] = \"${commit}\";\n")
set(before "")
if(EXISTS "${FILE}")
  file(READ "${FILE}" before)
endif()
if(NOT before STREQUAL text)
  file(WRITE "${FILE}" "${text}")
endif()
