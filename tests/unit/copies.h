/* Copies between arrays of random shapes, layouts and kinds of memory, against a loop over their
** elements: on the processor, on a pretended GPU and on a real one. Include it behind cmocka.h's
** headers. */
#ifndef KJIT_TESTS_COPIES_H
#define KJIT_TESTS_COPIES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "include/kjit.h"

enum { PLACES = 5, HOST = 4 }; /* the kinds of kjit_memory, and the program's own */

/* An array inside a larger one, and what the larger one's bytes are to be. */
typedef struct Side {
    int place;
    kjit_array whole, bytes; /* contiguous; the same as single bytes */
    kjit_array view;
    unsigned char *known; /* bytes of `whole`; `known_view` is `view` in them */
    kjit_array known_bytes, known_view;
} Side;

static uint64_t copies_seed = 19911225;

static inline int64_t pick(int64_t limit)
{
    copies_seed = copies_seed * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)((copies_seed >> 33) % (uint64_t)limit);
}

static inline void works(kjit_status status)
{
    if (status != KJIT_OK)
        fail_msg("%s", kjit_error_message());
}

static inline void make_side(kjit_context *context, Side *side, int place, kjit_dtype dtype,
                             const kjit_record *record, int rank, const int64_t *shape)
{
    kjit_array_options options = { .size = sizeof options, .record = record };
    int64_t extents[KJIT_RANK_MAX];

    for (int i = 0; i < rank; i++)
        extents[i] = shape[i];
    side->place = place;
    if (place == HOST) {
        kjit_array host = record ? kjit_record_array(NULL, record, rank, extents)
                                 : kjit_host_array(NULL, dtype, rank, extents);
        host.data = calloc(1, 1);
        size_t bytes = (size_t)kjit_array_bytes(&host);
        free(host.data);
        host.data = malloc(bytes + 1);
        assert_non_null(host.data);
        side->whole = host;
    } else {
        options.memory = (kjit_memory)place;
        works(kjit_array_new(context, dtype, rank, extents, &options, &side->whole));
    }
    size_t bytes = (size_t)kjit_array_bytes(&side->whole);
    side->known = malloc(bytes + 1);
    assert_non_null(side->known);
    for (size_t i = 0; i < bytes; i++)
        side->known[i] = (unsigned char)pick(256);
    int64_t length = (int64_t)bytes;
    side->bytes = kjit_host_array(side->whole.data, KJIT_DTYPE_UINT8, 1, &length);
    side->bytes.flags = side->whole.flags;
    side->known_bytes = kjit_host_array(side->known, KJIT_DTYPE_UINT8, 1, &length);
    works(kjit_copy(context, &side->bytes, &side->known_bytes));
}

static inline void free_side(kjit_context *context, Side *side)
{
    if (side->place == HOST)
        free(side->whole.data);
    else
        works(kjit_array_free(context, &side->whole));
    free(side->known);
}

/* A part of a larger array that has the wanted shape: with gaps, backwards, its axes in another
** order. */
static inline void make_view(kjit_context *context, Side *side, int place, kjit_dtype dtype,
                             const kjit_record *record, int rank, const int64_t *shape)
{
    int64_t extents[KJIT_RANK_MAX];
    int32_t axes[KJIT_RANK_MAX];
    kjit_slice slices[KJIT_RANK_MAX];
    bool plain = pick(4) == 0, reverse = pick(3) == 0, swap = rank > 1 && pick(3) == 0;

    for (int i = 0; i < rank; i++)
        axes[i] = reverse ? rank - 1 - i : i;
    if (swap) {
        int a = (int)pick(rank), b = (int)pick(rank);
        int32_t axis = axes[a];
        axes[a] = axes[b];
        axes[b] = axis;
    }
    for (int i = 0; i < rank; i++) {
        int64_t step = plain || pick(2) ? 1 : 1 + pick(3), before = plain ? 0 : pick(3) / 2;
        bool down = !plain && pick(4) == 0;
        int64_t count = shape[i], last = before + (count - 1) * step;
        extents[axes[i]] = count ? last + 1 + (plain ? 0 : pick(2)) : pick(2);
        slices[axes[i]] = (kjit_slice){ KJIT_SLICE_SPAN, before, last + 1, step };
        if (!count)
            slices[axes[i]] = (kjit_slice)KJIT_SPAN(0, 0);
        else if (down)
            slices[axes[i]] =
                (kjit_slice){ KJIT_SLICE_SPAN, last, before ? before - 1 : KJIT_OMIT, -step };
    }
    make_side(context, side, place, dtype, record, rank, extents);
    side->known_view = side->whole;
    side->known_view.data = side->known;
    side->known_view.flags = 0;
    works(kjit_array_slice(&side->whole, slices, (size_t)rank, &side->view));
    works(kjit_array_slice(&side->known_view, slices, (size_t)rank, &side->known_view));
    works(kjit_array_transpose(&side->view, axes, &side->view));
    works(kjit_array_transpose(&side->known_view, axes, &side->known_view));
    assert_memory_equal(side->view.shape, shape, sizeof *shape * (size_t)rank);
}

/* Where element `index` of all, counted row by row, is. */
static inline unsigned char *element(const kjit_array *array, uint64_t index)
{
    unsigned char *at = array->data;

    for (int axis = array->rank; axis-- > 0; index /= (uint64_t)array->shape[axis])
        at += (int64_t)(index % (uint64_t)array->shape[axis]) * array->strides[axis];
    return at;
}

/* What the memory of a side is, all of it, is what it should be. */
static inline void compare(kjit_context *context, const Side *side, int round)
{
    size_t bytes = (size_t)kjit_array_bytes(&side->whole);
    unsigned char *there = malloc(bytes + 1);
    kjit_array host = side->known_bytes;

    assert_non_null(there);
    host.data = there;
    works(kjit_copy(context, &host, &side->bytes));
    if (memcmp(there, side->known, bytes) != 0)
        fail_msg("round %d: wrong bytes in memory of kind %d", round, side->place);
    free(there);
}

static const kjit_field copies_fields[] = { { "a", KJIT_DTYPE_UINT8, NULL, 0, 1, { 3 } },
                                            { "b", KJIT_DTYPE_INT32, NULL, 8, 0, { 0 } } };
static const kjit_record copies_record = { copies_fields, 2, 12 };

static inline void copy_once(kjit_context *context, kjit_stream *stream, int round)
{
    kjit_dtype dtype = (kjit_dtype)(KJIT_DTYPE_BOOL + pick(KJIT_DTYPE_COMPLEX128));
    const kjit_record *record = pick(10) ? NULL : &copies_record;
    int64_t shape[KJIT_RANK_MAX], most = 200;
    int rank = (int)pick(KJIT_RANK_MAX + 1);
    Side to, from;

    for (int i = 0; i < rank; i++) {
        shape[i] = pick(60) == 0 ? 0 : 1 + pick(most < 12 ? most : 12);
        most /= shape[i] ? shape[i] : 1;
    }
    dtype = record ? KJIT_DTYPE_RECORD : dtype;
    make_view(context, &to, (int)pick(PLACES), dtype, record, rank, shape);
    make_view(context, &from, (int)pick(PLACES), dtype, record, rank, shape);
    if (rank && pick(6) == 0 && shape[0]) { /* its first element, again and again */
        from.view.strides[0] = from.known_view.strides[0] = 0;
        from.view.flags |= KJIT_READONLY;
    }
    for (uint64_t i = 0; i < kjit_array_count(&to.view); i++)
        memcpy(element(&to.known_view, i), element(&from.known_view, i),
               kjit_array_itemsize(&to.view));
    if (pick(2)) {
        works(kjit_copy(context, &to.view, &from.view));
    } else {
        works(kjit_copy_on(context, stream, &to.view, &from.view));
        works(kjit_stream_synchronize(stream));
    }
    compare(context, &to, round);
    compare(context, &from, round);
    free_side(context, &to);
    free_side(context, &from);
}

/* So many copies, the same ones each time. */
static inline void copy_at_random(kjit_context *context, int rounds)
{
    kjit_stream *stream;

    works(kjit_stream_new(context, NULL, &stream));
    for (int i = 0; i < rounds; i++)
        copy_once(context, stream, i);
    kjit_stream_close(stream);
}

#endif
