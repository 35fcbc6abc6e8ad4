/* All devices of the machine at once: the processor and each GPU work on their part of a sum of
** squares, one thread each, and hand their sums round without the program touching them.
**
**     cc devices.c -lkjit -lpthread -o devices && ./devices
**
** A context is a device with what is compiled for it; contexts know nothing of one another. The
** module is loaded into each. */
#include <kjit.h>
#include <pthread.h>
#include <stdio.h>

enum { PART = 100000, DEVICES_MAX = 17 };

static const char text[] = "@cuda.jit\n"
                           "def squares(x, sums):\n"
                           "    i = cuda.grid(1)\n"
                           "    if i < x.size:\n"
                           "        cuda.atomic.add(sums, 0, x[i] * x[i])\n"
                           "\n"
                           "@cuda.jit\n"
                           "def add(sums, others):\n"
                           "    sums[0] += others[0]\n";

typedef struct Worker {
    kjit_context *context;
    kjit_kernel *squares, *add;
    kjit_array sums, others; /* int64[1] on the device */
    int64_t first;           /* of its numbers */
    int failed;
} Worker;

static int fail(void)
{
    fprintf(stderr, "%s\n", kjit_error_message());
    return 1;
}

static int start(Worker *worker, const char *device)
{
    kjit_open_options options = { .size = sizeof options, .device = device };
    kjit_module *module;
    int64_t one = 1;

    if (kjit_open(&options, &worker->context) != KJIT_OK ||
        kjit_load_source(worker->context, text, "squares.k", NULL, &module) != KJIT_OK ||
        kjit_get_kernel(module, "squares", &worker->squares) != KJIT_OK ||
        kjit_get_kernel(module, "add", &worker->add) != KJIT_OK ||
        kjit_array_new(worker->context, KJIT_DTYPE_INT64, 1, &one, NULL, &worker->sums) !=
            KJIT_OK ||
        kjit_array_new(worker->context, KJIT_DTYPE_INT64, 1, &one, NULL, &worker->others) !=
            KJIT_OK)
        return fail();
    return 0;
}

/* The sum of a part's squares, which stays on the device. Messages are the thread's own. */
static void *work(void *data)
{
    Worker *worker = data;
    static _Thread_local int64_t numbers[PART];

    for (int i = 0; i < PART; i++)
        numbers[i] = worker->first + i;
    if (kjit_array_zero(worker->context, NULL, &worker->sums) != KJIT_OK ||
        KJIT_CALL(worker->squares, KJIT_GRID((PART + 127) / 128), KJIT_BLOCK(128),
                  KJIT_CONST_ARRAY(numbers, PART), worker->sums) != KJIT_OK ||
        kjit_synchronize(worker->context) != KJIT_OK)
        worker->failed = fail();
    return NULL;
}

/* Adds one device's sum to another's. The copy is asked of a GPU's context if there is one: the
** processor's does not reach into GPUs. */
static int hand_on(const Worker *from, Worker *to, kjit_context *copier)
{
    if (kjit_copy(copier, &to->others, &from->sums) != KJIT_OK ||
        KJIT_CALL(to->add, KJIT_GRID(1), KJIT_BLOCK(1), to->sums, to->others) != KJIT_OK ||
        kjit_synchronize(to->context) != KJIT_OK)
        return fail();
    return 0;
}

static int run(Worker *workers, int count)
{
    pthread_t threads[DEVICES_MAX];
    int started = 0, failed = 0;
    int64_t sum, wanted = 0;
    kjit_array result = kjit_host_array(&sum, KJIT_DTYPE_INT64, 1, (int64_t[]){ 1 });

    for (; started < count; started++) {
        workers[started].first = (int64_t)started * PART;
        if (pthread_create(&threads[started], NULL, work, &workers[started]))
            break;
    }
    failed = started < count;
    for (int i = 0; i < started; i++) {
        pthread_join(threads[i], NULL);
        failed |= workers[i].failed;
    }
    for (int i = 0; i + 1 < count && !failed; i++)
        failed = hand_on(&workers[i], &workers[i + 1], workers[0].context);
    if (failed)
        return 1;
    Worker *last = &workers[count - 1];
    if (kjit_copy(last->context, &result, &last->sums) != KJIT_OK)
        return fail();
    for (int64_t i = 0; i < (int64_t)count * PART; i++)
        wanted += i * i;
    printf("%d devices: %lld, and it should be %lld\n", count, (long long)sum, (long long)wanted);
    return sum != wanted;
}

int main(void)
{
    static Worker workers[DEVICES_MAX];
    int gpus = kjit_gpu_count(), count = 0, failed = 0;

    for (; !failed && count < gpus && count < DEVICES_MAX - 1; count++) {
        char name[24];
        snprintf(name, sizeof name, "cuda:%d", count);
        failed = start(&workers[count], name);
    }
    failed = failed || start(&workers[count++], "cpu");
    for (int i = 0; i < count && !failed; i++)
        printf("%s: %s\n", kjit_device_name(workers[i].context),
               kjit_device_model(workers[i].context));
    failed = failed || run(workers, count);
    for (int i = 0; i < count; i++)
        kjit_close(workers[i].context);
    return failed;
}
