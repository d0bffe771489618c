# SPDX-License-Identifier: GPL-3.0-or-later
# cmake -DINPUT=file -DNAME=identifier -DOUTPUT=file.c -P embed_bytes.cmake
# Writes a file as an array of bytes ended by 0: any byte may occur in it, and ISO C promises no more than 4095
# characters for one literal.
file(READ ${INPUT} bytes HEX)
get_filename_component(source ${INPUT} NAME)
string(REGEX REPLACE "(................................)" "\\1\n   " lines "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" " 0x\\1," lines "${lines}")
file(WRITE ${OUTPUT} "/* Made from ${source}; do not edit. */\n#include \"page.h\"\n\nconst char ${NAME}[] = {\n   ${lines} 0};\n")
