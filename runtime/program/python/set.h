/* The table of sets (set.c), for what programs do with them (sets.c). */
#pragma once

#include "runtime/program/program.h"

static inline bool host_set_has_item(const HostSlot *slot)
{
    return slot->item.kind != HOST_KINDS;
}

/* *found: whether the item was there. False after a TypeError. */
bool host_set_remove(Program *p, HostSet *set, HostValue item, bool *found);
/* False: it is empty. */
bool host_set_pop(HostSet *set, HostValue *out);
/* Makes the table anew if many items were removed. */
void host_set_tidy(Program *p, HostSet *set);
void host_set_clear(HostSet *set);
