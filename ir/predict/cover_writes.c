/* Lists of stores that happen wherever a region is entered and their guards hold. */
#include "ir/predict/cover_parts.h"

enum { FEW_WRITES = 32 }; /* more are not worth the time */

bool write_same_element(const Write *a, const Write *b)
{
    bool same = a->param == b->param && a->rank == b->rank && a->flat == b->flat &&
                a->flat_from == b->flat_from;
    for (int i = 0; same && i < a->rank; i++)
        same = sum_equal(a->index[i], b->index[i]);
    return same;
}

void writes_add(Arena *arena, Writes *writes, const Write *write, Guards more)
{
    Guards guards = guards_join(arena, more, (Guards){ true, write->guards });
    if (!guards.known || writes->count == FEW_WRITES)
        return;
    Write *copy = arena_new(arena, Write);
    *copy = *write;
    copy->guards = guards.list;
    copy->next = writes->first;
    writes->first = copy;
    writes->count++;
}

void writes_add_all(Arena *arena, Writes *writes, Writes more, Guards guards)
{
    for (const Write *write = more.first; write; write = write->next)
        writes_add(arena, writes, write, guards);
}

void writes_add_both(Arena *arena, Writes *writes, Writes one, Writes other)
{
    for (const Write *a = one.first; a; a = a->next) {
        for (const Write *b = other.first; b; b = b->next) {
            if (write_same_element(a, b))
                writes_add(arena, writes, a, (Guards){ true, b->guards });
        }
    }
}
