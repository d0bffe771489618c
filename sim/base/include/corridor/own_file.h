/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where the code that runs here lies: in the program corridor, or in libcorridor.so, which another program
 * (an interpreter) has loaded. */
#ifndef CORRIDOR_OWN_FILE_H
#define CORRIDOR_OWN_FILE_H

#include <elf.h>
#include <stddef.h>

/* The headers of the file that this code was linked into, as they lie in memory; *displacement: what is to be
 * added to an address that they say. */
const Elf64_Ehdr *cor_own_headers(size_t *displacement);

/* The path of that file: "/proc/self/exe" of a program, valid as long as the process. */
const char *cor_own_file(void);

/* The path of the program corridor, for starting it again and for what stands beside it: this program itself;
 * of a library the one beside it, or where both are installed in `bin` of its prefix. "" if it cannot be
 * told, or is not there. */
void cor_own_program(char *path, size_t size);

#endif
