/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A corridor's text from a file, for commands. */
#ifndef CORRIDOR_ORACLE_CORRIDOR_CORRIDOR_FILE_H
#define CORRIDOR_ORACLE_CORRIDOR_CORRIDOR_FILE_H

#include <corridor/corridor.h>

/* Reads it; "-" is standard input. */
enum cor_status corridor_file_read(const char *path, struct cor_corridor **corridor,
                                   struct cor_error *error) COR_MUST_USE;

#endif
