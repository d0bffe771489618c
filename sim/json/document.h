/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a document consists of. */
#ifndef CORRIDOR_SIM_JSON_DOCUMENT_H
#define CORRIDOR_SIM_JSON_DOCUMENT_H

#include <corridor/origins.h>

#include <jansson.h>

struct cor_json_document {
    char *name;
    json_t *root;
    struct cor_origins *origins; /* borrowed; who is told what is read; NULL: nobody */
    char *under;                 /* owned; what stands before pointers there; NULL: nothing */
};

/* The JSON pointer of a value, "" of the root. */
void json__pointer(const struct cor_json *json, char *text, size_t size);

#endif
