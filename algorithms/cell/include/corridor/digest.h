/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a file holds, in one word that nobody can make another file for. */
#ifndef CORRIDOR_DIGEST_H
#define CORRIDOR_DIGEST_H

#include <corridor/error.h>

#include <stdbool.h>

/* A SHA-256 (FIPS 180-4) in lower-case hexadecimal digits, ended by 0. */
#define COR_DIGEST_TEXT 65

/* The SHA-256 of the bytes of the file at `path`, as sha256sum(1) prints it. */
enum cor_status cor_file_digest(const char *path, char text[COR_DIGEST_TEXT],
                                struct cor_error *error) COR_MUST_USE;

/* Is the text such a digest? */
bool cor_is_digest(const char *text);

#endif
