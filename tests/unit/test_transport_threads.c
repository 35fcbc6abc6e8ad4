/* Groups whose bytes the program carries: two ranks, threads of this process that pipes connect. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "include/kjit_tools.h"

enum { LENGTH = 1000, RECEIVES = 64 };

static const char text[] = "@cuda.jit\n"
                           "def smooth(x, y):\n"
                           "    i = cuda.grid(1)\n"
                           "    if 0 < i and i < x.shape[0] - 1:\n"
                           "        y[i] = x[i - 1] + 2 * x[i] + x[i + 1]\n";

typedef struct Rank {
    int rank, out, in; /* ends of pipes */
    struct {
        char *to;
        size_t bytes;
    } awaited[RECEIVES];
    int count;
    int32_t *x, *y;
    kjit_status status;
    char message[200];
} Rank;

static kjit_status send_bytes(void *context, int to, const void *data, size_t bytes)
{
    Rank *own = context;
    (void)to;
    return write(own->out, data, bytes) == (ssize_t)bytes
               ? KJIT_OK
               : kjit_fail_with(KJIT_LAUNCH, "error: the pipe is full");
}

static kjit_status receive_bytes(void *context, int from, void *data, size_t bytes)
{
    Rank *own = context;
    (void)from;
    own->awaited[own->count].to = data;
    own->awaited[own->count++].bytes = bytes;
    return KJIT_OK;
}

static kjit_status finish_bytes(void *context)
{
    Rank *own = context;
    for (int i = 0; i < own->count; i++) {
        for (size_t at = 0; at < own->awaited[i].bytes;) {
            ssize_t got = read(own->in, own->awaited[i].to + at, own->awaited[i].bytes - at);
            if (got <= 0)
                return kjit_fail_with(KJIT_LAUNCH, "error: rank 1 is gone");
            at += (size_t)got;
        }
    }
    own->count = 0;
    return KJIT_OK;
}

static void fail_others(void *context, const char *message)
{
    Rank *own = context;
    (void)message;
    if (own->out >= 0)
        close(own->out);
    own->out = -1;
}

static kjit_status launch_all(Rank *own, kjit_group *group, kjit_kernel *kernel,
                              kjit_context *context)
{
    kjit_launch_config config = { .size = sizeof config, .grid = { 16 }, .block = { 64 } };
    int64_t length = LENGTH;
    kjit_arg args[] = { kjit_arg_array(kjit_host_array(own->x, KJIT_DTYPE_INT32, 1, &length)),
                        kjit_arg_array(kjit_host_array(own->y, KJIT_DTYPE_INT32, 1, &length)) };
    kjit_status status = kjit_group_hold_args(group, context, args, 2);

    for (int i = 0; i < 4 && status == KJIT_OK; i++) {
        kjit_arg swapped[] = { args[i % 2], args[1 - i % 2] };
        status = kjit_group_launch(group, kernel, &config, swapped, 2, NULL, 0);
    }
    return status == KJIT_OK ? kjit_group_fetch(group, NULL) : status;
}

static void *run(void *context)
{
    Rank *own = context;
    kjit_transport transport = { .size = sizeof transport,
                                 .context = own,
                                 .rank = own->rank,
                                 .ranks = 2,
                                 .send = send_bytes,
                                 .receive = receive_bytes,
                                 .finish = finish_bytes,
                                 .fail = fail_others };
    kjit_open_options open = { .size = sizeof open, .device = "cpu" };
    kjit_load_options load = { .size = sizeof load };
    kjit_context *device = NULL;
    kjit_group *group = NULL;
    kjit_module *module;
    kjit_kernel *kernel;

    own->status = kjit_open(&open, &device);
    if (own->status == KJIT_OK)
        own->status = kjit_open_group_by(&transport, &group);
    if (own->status == KJIT_OK)
        own->status = kjit_load_source(device, text, "t.k", &load, &module);
    if (own->status == KJIT_OK)
        own->status = kjit_get_kernel(module, "smooth", &kernel);
    if (own->status == KJIT_OK)
        own->status = launch_all(own, group, kernel, device);
    if (own->status != KJIT_OK)
        strncpy(own->message, kjit_error_message(), sizeof own->message - 1);
    kjit_close_group(group);
    kjit_close(device);
    return NULL;
}

static void run_both(Rank ranks[2])
{
    pthread_t other;
    int there[2], back[2];

    assert_int_equal(pipe(there), 0);
    assert_int_equal(pipe(back), 0);
    ranks[0].rank = 0;
    ranks[0].out = there[1];
    ranks[0].in = back[0];
    ranks[1].rank = 1;
    ranks[1].out = back[1];
    ranks[1].in = there[0];
    assert_int_equal(pthread_create(&other, NULL, run, &ranks[1]), 0);
    run(&ranks[0]);
    pthread_join(other, NULL);
    for (int r = 0; r < 2; r++) {
        if (ranks[r].out >= 0)
            close(ranks[r].out);
        close(ranks[r].in);
    }
}

/* Arrays of one rank lie the other way round in the other one. */
static void ranks_compute_what_one_does(void **state)
{
    static int32_t memory[2][2 * LENGTH], wanted[2][LENGTH];
    Rank ranks[2] = { { .x = memory[0], .y = memory[0] + LENGTH },
                      { .x = memory[1] + LENGTH, .y = memory[1] } };

    (void)state;
    for (int i = 0; i < LENGTH; i++) {
        wanted[0][i] = ranks[0].x[i] = ranks[1].x[i] = i * 7 % 31;
        wanted[1][i] = ranks[0].y[i] = ranks[1].y[i] = -i;
    }
    for (int k = 0; k < 4; k++)
        for (int i = 1; i < LENGTH - 1; i++) {
            const int32_t *from = wanted[k % 2];
            wanted[1 - k % 2][i] = from[i - 1] + 2 * from[i] + from[i + 1];
        }
    run_both(ranks);
    for (int r = 0; r < 2; r++) {
        assert_string_equal(ranks[r].message, "");
        assert_memory_equal(ranks[r].x, wanted[0], sizeof wanted[0]);
        assert_memory_equal(ranks[r].y, wanted[1], sizeof wanted[1]);
    }
}

/* Rank 1 reads what it writes, which no other rank has. */
static void a_rank_that_fails_ends_the_other(void **state)
{
    static int32_t memory[2][2][LENGTH];
    Rank ranks[2] = { { .x = memory[0][0], .y = memory[0][1] },
                      { .x = memory[1][0], .y = memory[1][0] } };

    (void)state;
    run_both(ranks);
    for (int r = 0; r < 2; r++)
        assert_non_null(strstr(ranks[r].message, "rank 1: "));
}

static void wrong_transports_are_refused(void **state)
{
    kjit_transport transport = { .size = sizeof transport, .rank = 2, .ranks = 2 };
    kjit_group *group;

    (void)state;
    assert_int_equal(kjit_open_group_by(&transport, &group), KJIT_ARGUMENT);
    assert_non_null(strstr(kjit_error_message(), "a rank below its number of ranks"));
    assert_int_equal(kjit_fail_with(KJIT_OK, "nothing"), KJIT_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_compute_what_one_does),
        cmocka_unit_test(a_rank_that_fails_ends_the_other),
        cmocka_unit_test(wrong_transports_are_refused),
    };
    return cmocka_run_group_tests_name("transports", tests, NULL, NULL);
}
