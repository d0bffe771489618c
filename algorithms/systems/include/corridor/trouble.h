/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a program that is talked to did wrong, as trouble: of systems, worlds and policies alike. */
#ifndef CORRIDOR_TROUBLE_H
#define CORRIDOR_TROUBLE_H

#include <corridor/conversation.h>
#include <corridor/efsm_terms.h>

/* An exchange came to nothing: as trouble, and why, for people, in `words` of `size` bytes. */
enum cor_system_trouble cor_exchange_trouble(const struct cor_conversation *talk, char *words, size_t size);

#endif
