/* No memory, anywhere: each public function that allocates, with its first allocation failing,
** then its second, and so on until it has no more of them. Every time it says so, gives back what
** it had, and works the next time.
**
** A new function is a row of `tasks`: something that calls it and undoes what it did. Without
** DEBUG=1 nothing can be made to fail, and the tasks are only done. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <zip.h>

#include "runtime/cuda/nvrtc.h"
#define OWN_CACHE
#include "tests/unit/library.h"

enum { COUNT = 4 };

static const char many_texts[] = "from numba import cuda, float32, int32\n"
                                 "from helper import more\n"
                                 "N = 4\n"
                                 "@example(a=zeros(N), b=ones(N), grid=1, block=N)\n"
                                 "@cuda.jit('void(float64[::1], float64[::1])', opt=False)\n"
                                 "def many(a, b):\n"
                                 "    \"\"\"What it is for.\"\"\"\n"
                                 "    shared = cuda.shared.array(N, float32)\n"
                                 "    i = cuda.threadIdx.x\n"
                                 "    shared[i] = b[i]\n"
                                 "    cuda.syncthreads()\n"
                                 "    for j in range(N):\n"
                                 "        a[i] += more(shared[j])\n";
static const char helper_text[] = "from numba import cuda\n"
                                  "@cuda.jit(device=True)\n"
                                  "def more(x):\n"
                                  "    return x + 1\n";
static const char tuple_text[] = "@cuda.jit(opt=False)\n"
                                 "def sum_of(t, out):\n"
                                 "    out[0] = t[0] + t[1][0] + t[2][0]\n";
static const char record_text[] = "@cuda.jit(opt=False)\n"
                                  "def heavier(a):\n"
                                  "    a[cuda.grid(1)].mass *= 2\n";
/* it goes by what it writes */
static const char goes_text[] = "@cuda.jit(opt=False)\n"
                                "def goes(a, b):\n"
                                "    i = cuda.grid(1)\n"
                                "    b[i] = a[i]\n"
                                "    if b[i] > 0:\n"
                                "        b[i] += a[i]\n";
static const char fault_text[] = "@cuda.jit(opt=False)\n"
                                 "def out_of(a):\n"
                                 "    a[a.size + 3] = 1\n";
static const char wrong_text[] = "@cuda.jit\n"
                                 "def wrong(a):\n"
                                 "    a[0] = nothing + neither\n";

typedef struct Body {
    double mass;
    float place[2];
} Body;

static const kjit_field body_fields[] = {
    { "mass", KJIT_DTYPE_FLOAT64, NULL, offsetof(Body, mass), 0, { 0 } },
    { "place", KJIT_DTYPE_FLOAT32, NULL, offsetof(Body, place), 1, { 2 } },
};
static const kjit_record body = { body_fields, 2, sizeof(Body) };

static kjit_kernel *twice, *sums, *heavier, *many, *out_of;
static double data[COUNT], result[COUNT];
static Body bodies[COUNT];
static char path[128], many_path[128];

static const int64_t shape[] = { COUNT };
static const kjit_launch_config config = { .size = sizeof config,
                                           .grid = { 1, 1, 1 },
                                           .block = { COUNT, 1, 1 } };

/* ---- contexts and modules ------------------------------------------------------------------ */

static kjit_status open_and_close(void)
{
    kjit_open_options options = { .size = sizeof options, .device = "cpu" };
    kjit_context *other;
    kjit_status status = kjit_open(&options, &other);

    kjit_close(other);
    return status;
}

static kjit_status load_text(void)
{
    kjit_module *module;
    kjit_status status = kjit_load_source(context, double_text, "t.k", NULL, &module);

    kjit_close_module(module);
    return status;
}

/* What is found is gathered in memory, too. */
static kjit_status check_a_race(void)
{
    static const char text[] = "@cuda.jit\n"
                               "def count(out):\n"
                               "    out[0] += 1\n";
    kjit_open_options options = { .size = sizeof options, .device = "check" };
    kjit_check_options wanted = { .size = sizeof wanted, .seed = 1 };
    kjit_context *other;
    kjit_module *module;
    kjit_kernel *kernel;
    kjit_status status = kjit_open(&options, &other);

    if (status == KJIT_OK)
        status = kjit_check_set(other, &wanted);
    if (status == KJIT_OK)
        status = kjit_load_source(other, text, "t.k", NULL, &module);
    if (status == KJIT_OK)
        status = kjit_get_kernel(module, NULL, &kernel);
    if (status == KJIT_OK)
        status = KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(COUNT), KJIT_ARRAY(result, COUNT));
    if (status == KJIT_OK && !kjit_check_count(other))
        status = KJIT_INTERNAL;
    kjit_close(other);
    return status;
}

static kjit_status load_a_file_that_imports(void)
{
    static const kjit_define defines[] = { { "N", "2 + 2" } };
    kjit_load_options options = { .size = sizeof options, .defines = defines, .define_count = 1 };
    kjit_module *module;
    kjit_status status = kjit_load_file(context, many_path, &options, &module);

    kjit_close_module(module);
    return status;
}

static kjit_status load_of_the_library(void)
{
    kjit_module *module;
    kjit_status status = kjit_load_file(context, "std:histogram", NULL, &module);

    kjit_close_module(module);
    return status;
}

static kjit_status load_what_does_not_parse(void)
{
    kjit_module *module;

    return kjit_load_source(context, "def k(:\n    pass\n", "t.k", NULL, &module);
}

static kjit_status live_a_whole_life(void)
{
    kjit_open_options options = { .size = sizeof options, .device = "cpu" };
    kjit_context *other;
    kjit_module *module;
    kjit_kernel *kernel;
    kjit_status status = kjit_open(&options, &other);

    if (status == KJIT_OK)
        status = kjit_load_source(other, double_text, "t.k", NULL, &module);
    if (status == KJIT_OK)
        status = kjit_get_kernel(module, NULL, &kernel);
    if (status == KJIT_OK)
        status = KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(COUNT), KJIT_ARRAY(data, COUNT),
                           KJIT_ARRAY(result, COUNT));
    kjit_close(other);
    return status;
}

static kjit_status look_for_no_kernel(void)
{
    kjit_kernel *kernel;

    return kjit_get_kernel(twice->module, "thrice", &kernel);
}

static kjit_status find_evaluated_kernel(void)
{
    static const char text[] = "def make(n):\n    @cuda.jit\n    def step(x):\n        x[0] = n\n"
                               "    return step\nsteps = [make(i) for i in range(3)]\n";
    kjit_module *module;
    kjit_kernel *kernel;
    kjit_status status = kjit_load_source(context, text, "t.k", NULL, &module);

    if (status == KJIT_OK)
        status = kjit_get_kernel(module, "steps[1]", &kernel);
    if (status == KJIT_OK)
        status = kjit_get_kernel(module, "steps[1]", &kernel);
    kjit_close_module(module);
    return status;
}

/* ---- compiling and launching ----------------------------------------------------------------- */

/* The kernel of a module of its own, so that it is compiled; `use` it. */
static kjit_status with_new_kernel(const char *text, const kjit_load_options *options,
                                   kjit_status (*use)(kjit_kernel *))
{
    kjit_module *module;
    kjit_kernel *kernel;
    kjit_status status = kjit_load_source(context, text, "t.k", options, &module);

    if (status == KJIT_OK)
        status = kjit_get_kernel(module, NULL, &kernel);
    if (status == KJIT_OK)
        status = use(kernel);
    kjit_close_module(module);
    return status;
}

static kjit_status launch_twice(kjit_kernel *kernel)
{
    return KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(COUNT), KJIT_ARRAY(data, COUNT),
                     KJIT_ARRAY(result, COUNT));
}

static kjit_status launch_again(void)
{
    return launch_twice(twice);
}

static kjit_status launch_first(void)
{
    return with_new_kernel(double_text, NULL, launch_twice);
}

static kjit_status launch_for_debug(void)
{
    kjit_load_options options = { .size = sizeof options, .debug = 1 };

    return with_new_kernel(double_text, &options, launch_twice);
}

static kjit_status launch_tuples(void)
{
    return KJIT_CALL(sums, KJIT_GRID(1), KJIT_BLOCK(1),
                     KJIT_TUPLE(1.0, KJIT_ARRAY(data, COUNT), KJIT_TUPLE(2.0)),
                     KJIT_ARRAY(result, COUNT));
}

/* More than fits what a call has on its stack. */
static kjit_status launch_long_tuples(void)
{
    kjit_arg items[300], args[2];

    for (size_t i = 0; i < ARRAY_COUNT(items); i++)
        items[i] = kjit_arg_float64(1);
    items[1] = items[2] = kjit_arg_array(kjit_host_array(data, KJIT_DTYPE_FLOAT64, 1, shape));
    args[0] = kjit_arg_tuple(items, ARRAY_COUNT(items));
    args[1] = kjit_arg_array(kjit_host_array(result, KJIT_DTYPE_FLOAT64, 1, shape));
    return kjit_launch(sums, &config, args, 2);
}

static kjit_status launch_records(void)
{
    kjit_arg arg = kjit_arg_array(kjit_record_array(bodies, &body, 1, shape));

    return kjit_launch(heavier, &config, &arg, 1);
}

static kjit_status use_heavier(kjit_kernel *kernel)
{
    kjit_arg arg = kjit_arg_array(kjit_record_array(bodies, &body, 1, shape));

    return kjit_launch(kernel, &config, &arg, 1);
}

static kjit_status launch_records_first(void)
{
    return with_new_kernel(record_text, NULL, use_heavier);
}

static kjit_status launch_a_fault(void)
{
    kjit_arg arg = kjit_arg_array(kjit_host_array(data, KJIT_DTYPE_FLOAT64, 1, shape));

    return kjit_launch(out_of, &config, &arg, 1);
}

static kjit_status use_wrong(kjit_kernel *kernel)
{
    kjit_arg arg = kjit_arg_array(kjit_host_array(data, KJIT_DTYPE_FLOAT64, 1, shape));

    return kjit_compile(kernel, &arg, 1);
}

static kjit_status compile_what_makes_no_sense(void)
{
    return with_new_kernel(wrong_text, NULL, use_wrong);
}

static void pass_over(void *unused, const kjit_meaning *meaning)
{
    (void)unused;
    (void)meaning;
}

static kjit_status ask(kjit_kernel *kernel)
{
    kjit_arg args[2] = { kjit_arg_array(kjit_host_array(data, KJIT_DTYPE_FLOAT64, 1, shape)),
                         kjit_arg_array(kjit_host_array(result, KJIT_DTYPE_FLOAT64, 1, shape)) };
    kjit_launch_config chosen = { .size = sizeof chosen };
    kjit_launch_config covering = { .size = sizeof covering };
    uint32_t access[2], transfers[2], left[2];
    kjit_facts facts = { .size = sizeof facts };
    int axes;
    kjit_status status = kjit_access(kernel, args, 2, access);

    if (status == KJIT_OK)
        status = kjit_axes(kernel, args, 2, &axes);
    if (status == KJIT_OK)
        status = kjit_forall(kernel, args, 2, COUNT, &chosen);
    if (status == KJIT_OK)
        status = kjit_auto_config(kernel, args, 2, &covering);
    if (status == KJIT_OK)
        status = kjit_left_over(kernel, &config, args, 2, left, covering.grid);
    if (status == KJIT_OK)
        status = kjit_transfers(kernel, &config, args, 2, transfers);
    if (status == KJIT_OK)
        status = kjit_kernel_facts(kernel, &config, args, 2, &facts);
    if (status == KJIT_OK)
        status = kjit_meanings(kernel, args, 2, pass_over, NULL);
    return status;
}

static kjit_status ask_of_a_new_kernel(void)
{
    return with_new_kernel(double_text, NULL, ask);
}

static kjit_status count(kjit_kernel *kernel)
{
    kjit_arg args[2] = { kjit_arg_array(kjit_host_array(data, KJIT_DTYPE_FLOAT64, 1, shape)),
                         kjit_arg_array(kjit_host_array(result, KJIT_DTYPE_FLOAT64, 1, shape)) };
    kjit_work work = { .size = sizeof work };

    return kjit_count_work(kernel, &config, args, 2, &work);
}

static kjit_status count_what_a_kernel_does(void)
{
    return with_new_kernel(goes_text, NULL, count);
}

static kjit_status ask_the_device(void)
{
    kjit_device_info info = { .size = sizeof info };
    kjit_sensors sensors = { .size = sizeof sensors };
    kjit_status status = kjit_device_facts(context, &info);

    return status == KJIT_OK ? kjit_device_sensors(context, &sensors) : status;
}

static kjit_status prepare_and_launch(void)
{
    kjit_arg args[2] = { kjit_arg_array(kjit_host_array(data, KJIT_DTYPE_FLOAT64, 1, shape)),
                         kjit_arg_array(kjit_host_array(result, KJIT_DTYPE_FLOAT64, 1, shape)) };
    kjit_prepared *prepared;
    kjit_status status = kjit_prepare(twice, &config, args, 2, &prepared);

    if (status == KJIT_OK)
        status = kjit_launch_prepared(prepared);
    kjit_close_prepared(prepared);
    return status;
}

/* ---- arrays, streams, events, graphs ------------------------------------------------------- */

static kjit_status make_arrays(void)
{
    static const int64_t extents[] = { 3, 5 };
    kjit_status status = KJIT_OK;

    for (int kind = KJIT_MEMORY_DEVICE; status == KJIT_OK && kind <= KJIT_MEMORY_MANAGED; kind++) {
        kjit_array_options options = { .size = sizeof options, .memory = (kjit_memory)kind };
        kjit_array array;
        status = kjit_array_new(context, KJIT_DTYPE_FLOAT32, 2, extents, &options, &array);
        if (status == KJIT_OK)
            status = kjit_array_zero(context, NULL, &array);
        kjit_array_free(context, &array);
    }
    return status;
}

static kjit_status copy_there_and_back(void)
{
    kjit_array host = kjit_host_array(data, KJIT_DTYPE_FLOAT64, 1, shape), device;
    kjit_status status = kjit_to_device(context, &host, &device);

    /* Every other element, backwards. */
    kjit_array part = host, far = device;
    part.shape[0] = far.shape[0] = COUNT / 2;
    part.strides[0] = far.strides[0] = -16;
    part.data = &data[COUNT - 1];
    far.data = device.data ? (double *)device.data + COUNT - 1 : NULL;
    if (status == KJIT_OK)
        status = kjit_copy_to_host(context, &device, &host);
    if (status == KJIT_OK)
        status = kjit_copy(context, &part, &far);
    if (status == KJIT_OK)
        status = kjit_copy_on(context, NULL, &far, &part);
    kjit_array_free(context, &device);
    return status;
}

static kjit_status pin_and_ask(void)
{
    kjit_array host = kjit_host_array(data, KJIT_DTYPE_FLOAT64, 1, shape);
    kjit_memory_info info = { .size = sizeof info };
    kjit_status status = kjit_pin(context, &host);

    if (status == KJIT_OK)
        status = kjit_unpin(context, &host);
    if (status == KJIT_OK)
        status = kjit_memory_usage(context, &info);
    if (status == KJIT_OK)
        status = kjit_memory_trim(context, 0);
    return status;
}

static kjit_status give_away_and_take(void)
{
    kjit_array host = kjit_record_array(bodies, &body, 1, shape), masses, back;
    kjit_interface interface = { .size = sizeof interface };
    struct DLManagedTensor *tensor = NULL;
    char *text = NULL;
    kjit_status status = kjit_array_interface(context, NULL, &host, &interface);

    if (status == KJIT_OK)
        status = kjit_interface_text(&interface, &text);
    if (status == KJIT_OK)
        status = kjit_array_field(&host, "mass", &masses);
    if (status == KJIT_OK)
        status = kjit_to_dlpack(context, &masses, NULL, NULL, &tensor);
    if (status == KJIT_OK)
        status = kjit_from_dlpack(context, tensor, &back);
    kjit_dlpack_release(tensor);
    kjit_free(text);
    return status;
}

static kjit_status use_elements(void)
{
    kjit_array host = kjit_host_array(data, KJIT_DTYPE_FLOAT64, 1, shape), device;
    int64_t at = -1;
    kjit_arg value;
    kjit_status status = kjit_to_device(context, &host, &device);

    if (status == KJIT_OK)
        status = kjit_array_get(context, &device, &at, &value);
    if (status == KJIT_OK)
        status = kjit_array_set(context, &device, &at, value);
    kjit_array_free(context, &device);
    return status;
}

static kjit_status order_with_events(void)
{
    kjit_stream *stream = NULL, *thread = NULL, *whole = NULL;
    kjit_event *from = NULL, *to = NULL;
    double ms;
    kjit_status status = kjit_stream_new(context, NULL, &stream);

    if (status == KJIT_OK)
        status = kjit_stream_per_thread(context, &thread);
    if (status == KJIT_OK)
        status = kjit_stream_default(context, &whole);
    if (status == KJIT_OK)
        status = kjit_event_new(context, 1, &from);
    if (status == KJIT_OK)
        status = kjit_event_new(context, 1, &to);
    if (status == KJIT_OK)
        status = kjit_event_record(from, stream);
    if (status == KJIT_OK)
        status = kjit_event_wait(from, thread);
    if (status == KJIT_OK)
        status = kjit_event_record(to, thread);
    if (status == KJIT_OK)
        status = kjit_event_elapsed(from, to, &ms);
    kjit_event_close(to);
    kjit_event_close(from);
    kjit_stream_close(whole);
    kjit_stream_close(thread);
    kjit_stream_close(stream);
    return status;
}

static kjit_status record_a_graph(kjit_stream *stream)
{
    kjit_launch_config on_stream = config;
    kjit_arg args[2] = { kjit_arg_array(kjit_host_array(data, KJIT_DTYPE_FLOAT64, 1, shape)),
                         kjit_arg_array(kjit_host_array(result, KJIT_DTYPE_FLOAT64, 1, shape)) };
    kjit_graph *graph = NULL;

    args[0].as.array.flags = args[1].as.array.flags = KJIT_ON_DEVICE;
    on_stream.stream = stream;
    kjit_status status = kjit_capture_begin(stream);
    if (status != KJIT_OK)
        return status;
    for (int i = 0; status == KJIT_OK && i < 10; i++)
        status = kjit_launch(twice, &on_stream, args, 2);
    kjit_status ended = kjit_capture_end(stream, &graph);
    status = status == KJIT_OK ? ended : status;
    if (status == KJIT_OK)
        status = kjit_graph_launch(graph, stream);
    kjit_graph_close(graph);
    return status;
}

static kjit_status make_a_graph(void)
{
    kjit_stream *stream;
    kjit_status status = kjit_stream_new(context, NULL, &stream);

    if (status == KJIT_OK)
        status = record_a_graph(stream);
    kjit_stream_close(stream);
    return status;
}

/* ---- values ------------------------------------------------------------------------------- */

static kjit_status set_values(void)
{
    static const char *const expressions[] = {
        "(zeros(3)[1:], normal(4, dtype=float32), 3)",
        "[[1, 2], [3, 4]]",
        "full((2, 3), 7, int16, order='F').T",
        "arange(10, dtype=float32)[::-2].copy().reshape((5, 1)).astype(complex64)",
        "zeros(2, dtype=dtype([('x', float32), ('y', int32, (3,))], align=True))['y']",
        "array(['2001-12-31', 'NaT'])",
        "create_xoroshiro128p_states(3, seed=1)",
        "load('a.npy')",
        "a.npy",
        "linspace(0, 1, 5).view(int64)",
        "2 ** 3 + float32(1.5) * 2j",
    };
    kjit_values *values;
    kjit_status status = kjit_values_new(&values);

    for (size_t i = 0; status == KJIT_OK && i < ARRAY_COUNT(expressions); i++) {
        char name[8];
        snprintf(name, sizeof name, "v%d", (int)i % 5);
        status = kjit_values_set(values, name, expressions[i], folder);
    }
    kjit_values_close(values);
    return status;
}

static kjit_status set_a_member_of_an_archive(void)
{
    kjit_values *values;
    kjit_status status = kjit_values_new(&values);

    if (status == KJIT_OK)
        status = kjit_values_set(values, "v", "load('a.npz', 'v')", folder);
    kjit_values_close(values);
    return status;
}

static kjit_status set_what_is_wrong(void)
{
    kjit_values *values;
    kjit_status status = kjit_values_new(&values);

    if (status == KJIT_OK)
        status = kjit_values_set(values, "v", "zeros(3, dtype=float33)", NULL);
    kjit_values_close(values);
    return status;
}

static kjit_status set_the_example(void)
{
    kjit_launch_config chosen = { .size = sizeof chosen };
    kjit_values *values;
    kjit_status status = kjit_values_new(&values);

    if (status == KJIT_OK)
        status = kjit_values_example(values, many);
    if (status == KJIT_OK)
        status = kjit_example_config(many, &chosen);
    if (status == KJIT_OK) {
        kjit_values_constants(values, many->module);
        status = kjit_values_set(values, "n", "N + 1", NULL);
    }
    kjit_values_close(values);
    return status;
}

static kjit_status save_and_load(void)
{
    kjit_array array = kjit_record_array(bodies, &body, 1, shape);
    kjit_status status = kjit_save_npy(path, &array);
    kjit_values *values = NULL;

    if (status == KJIT_OK)
        status = kjit_values_new(&values);
    if (status == KJIT_OK)
        status = kjit_values_set(values, "v", path, NULL);
    kjit_values_close(values);
    return status;
}

static kjit_status save_backwards(void)
{
    kjit_array array = kjit_host_array(data, KJIT_DTYPE_FLOAT64, 1, shape);

    array.data = &data[COUNT - 1];
    array.strides[0] = -8;
    return kjit_save_npy(path, &array);
}

/* Rows that lie upside down, as they are and with the high bytes first. */
static kjit_status save_a_picture(const char *name)
{
    static uint16_t pixels[6] = { 1, 2, 300, 4, 5, 6 };
    const int64_t lengths[] = { 2, 3 };
    kjit_array array = kjit_host_array(&pixels[3], KJIT_DTYPE_UINT16, 2, lengths);
    char picture[128], value[160];
    kjit_values *values = NULL;

    array.strides[0] = -6;
    snprintf(picture, sizeof picture, "%s/%s", folder, name);
    snprintf(value, sizeof value, "load('%s')", picture);
    kjit_status status = kjit_save_array(picture, &array);
    if (status == KJIT_OK)
        status = kjit_values_new(&values);
    if (status == KJIT_OK)
        status = kjit_values_set(values, "v", value, NULL);
    kjit_values_close(values);
    return status;
}

static kjit_status save_a_png(void)
{
    return save_a_picture("p.png");
}

static kjit_status save_a_pgm(void)
{
    return save_a_picture("p.pgm");
}

static kjit_status call_a_program(void)
{
    static const char program_text[] = "kept = None\n"
                                       "def solve(x, n):\n"
                                       "    global kept\n"
                                       "    kept = x\n"
                                       "    return x.copy(), [n, 2]\n";
    kjit_program *program = NULL;
    kjit_module *module;
    kjit_arg back;
    kjit_status status = kjit_load_source(context, program_text, "t.py", NULL, &module);

    if (status != KJIT_OK)
        return status;
    status = kjit_program_open(module, NULL, &program);
    if (status == KJIT_OK)
        status = KJIT_PROGRAM_CALL(program, "solve", &back, KJIT_ARRAY(data, COUNT), 2);
    if (status == KJIT_OK)
        status = kjit_program_get(program, "kept", &back);
    kjit_program_close(program);
    kjit_close_module(module);
    return status;
}

/* ---- stages ------------------------------------------------------------------------------- */

static kjit_status emit(kjit_kernel *kernel, const char *stage, const char *signature)
{
    kjit_emit_options options = {
        .size = sizeof options, .stage = stage, .signature = signature, .arch = "sm_80"
    };
    char *text;
    size_t length;
    kjit_status status = kjit_emit(kernel, &options, &text, &length);

    kjit_free(text);
    return status;
}

static kjit_status emit_texts(void)
{
    static const char *const stages[] = { "remarks", "ir", "cuda", "c" };
    kjit_status status = KJIT_OK;

    for (size_t i = 0; status == KJIT_OK && i < ARRAY_COUNT(stages); i++)
        status = emit(many, stages[i], NULL);
    return status;
}

static kjit_status emit_for_a_signature(void)
{
    return emit(twice, "c", "twice(float32[:], float32[::1])");
}

static kjit_status emit_for_what_is_none(void)
{
    return emit(twice, "c", "twice(float33[:])");
}

static kjit_status emit_machine_code(void)
{
    kjit_status status = emit(many, "ptx", NULL);

    return status == KJIT_OK ? emit(many, "cubin", NULL) : status;
}

static kjit_status emit_tokens_and_trees(void)
{
    char *text;
    size_t length;
    kjit_status status = kjit_emit_source(many_texts, "t.k", "tokens", &text, &length);

    kjit_free(text);
    if (status != KJIT_OK)
        return status;
    status = kjit_emit_source(many_texts, "t.k", "ast", &text, &length);
    kjit_free(text);
    return status;
}

static kjit_status emit_of_ir(void)
{
    static const char ir[] = "type Point = (x: int64, y: float32)\n"
                             "table t: float32 of 2 = 1.0, 2.0\n"
                             "kernel k(x: float32[::1], p: Point) @3\n"
                             "    constant t: readonly float32[::1] of t\n"
                             "    i: int64 = grid(0)\n"
                             "    if lt(i, extent(x, 0)) @4\n"
                             "        store x[i] = mul(load(t, 1), item(p, 1))\n";
    static const char *const stages[] = { "ir-full", "cuda" };
    kjit_status status = KJIT_OK;

    for (size_t i = 0; i < ARRAY_COUNT(stages) && status == KJIT_OK; i++) {
        const kjit_emit_options options = {
            .size = sizeof options, .stage = stages[i], .facts = "common", .passes = "all"
        };
        char *text;
        size_t length;
        status = kjit_emit_ir(ir, "t.ir", &options, &text, &length);
        kjit_free(text);
    }
    return status;
}

/* ---- ahead of time ------------------------------------------------------------------------ */

static char *binary; /* of `twice` */
static size_t binary_length;

static kjit_status build(const char *form, const char *target)
{
    const kjit_build_item item = { .kernel = twice,
                                   .signature = "twice(float64[::1], float64[::1])" };
    const kjit_build_options options = {
        .size = sizeof options, .form = form, .targets = &target, .target_count = 1, .name = "twice"
    };
    char *made;
    size_t length;
    kjit_status status = kjit_build(&item, 1, &options, &made, &length);

    kjit_free(made);
    return status;
}

static kjit_status build_a_binary(void)
{
    return build("binary", "cpu");
}

static kjit_status build_a_header(void)
{
    return build("c-header", "cpu");
}

static kjit_status build_for_a_gpu(void)
{
    return build("binary", "sm_80");
}

static kjit_status launch_a_binary(void)
{
    kjit_module *module;
    kjit_kernel *kernel;
    kjit_status status = kjit_load_binary(context, binary, binary_length, "t.kjit", &module);

    if (status == KJIT_OK)
        status = kjit_get_kernel(module, NULL, &kernel);
    if (status == KJIT_OK)
        status = launch_twice(kernel);
    kjit_close_module(module);
    return status;
}

static kjit_status launch_what_is_embedded(void)
{
    kjit_open_options options = { .size = sizeof options, .device = "cpu" };
    kjit_context *other;
    kjit_kernel *kernel;
    kjit_status status = kjit_open(&options, &other);

    if (status == KJIT_OK)
        status = kjit_embedded_kernel(other, binary, binary_length, "twice", &kernel);
    if (status == KJIT_OK)
        status = launch_twice(kernel);
    kjit_close(other);
    return status;
}

static kjit_status compile_many(void)
{
    kjit_arg args[2] = { kjit_arg_array(kjit_host_array(data, KJIT_DTYPE_FLOAT64, 1, shape)),
                         kjit_arg_array(kjit_host_array(result, KJIT_DTYPE_FLOAT64, 1, shape)) };
    kjit_compile_job jobs[3];
    kjit_module *module;
    kjit_batch *batch = NULL;
    kjit_status status = kjit_load_source(context, double_text, "t.k", NULL, &module);

    for (size_t i = 0; i < ARRAY_COUNT(jobs); i++)
        jobs[i] = (kjit_compile_job){ .args = args, .arg_count = 2 };
    if (status == KJIT_OK)
        status = kjit_get_kernel(module, NULL, &jobs[0].kernel);
    jobs[1].kernel = jobs[2].kernel = jobs[0].kernel;
    if (status == KJIT_OK)
        status = kjit_compile_begin(jobs, ARRAY_COUNT(jobs), 2, &batch);
    kjit_status ended = kjit_compile_end(batch);
    kjit_close_module(module);
    return status == KJIT_OK ? ended : status;
}

static kjit_status edit(kjit_kernel *kernel)
{
    kjit_arg args[2] = { kjit_arg_array(kjit_host_array(data, KJIT_DTYPE_FLOAT64, 1, shape)),
                         kjit_arg_array(kjit_host_array(result, KJIT_DTYPE_FLOAT64, 1, shape)) };
    kjit_emit_options options = {
        .size = sizeof options, .stage = "c", .args = args, .arg_count = 2
    };
    char *text;
    size_t length;
    kjit_status status = kjit_emit(kernel, &options, &text, &length);

    if (status == KJIT_OK)
        status = kjit_replace_text(kernel, args, 2, "c", text, "t.c");
    kjit_free(text);
    return status == KJIT_OK ? launch_twice(kernel) : status;
}

static kjit_status launch_an_edited_text(void)
{
    return with_new_kernel(double_text, NULL, edit);
}

/* ---- this machine --------------------------------------------------------------------------- */

static void count_entries(void *count, const kjit_cache_entry *entry)
{
    *(int *)count += entry->bytes > 0;
}

static kjit_status list_the_cache(void)
{
    int count = 0;

    return kjit_cache_list(count_entries, &count);
}

static kjit_status clear_the_cache(void)
{
    return kjit_cache_clear(NULL);
}

static void forget(void)
{
    kjit_cache_clear(NULL);
}

static void remember(void)
{
    expect_ok(launch_first());
}

static void hear(void *context_unused, const kjit_finding *finding)
{
    (void)context_unused;
    assert_non_null(finding->what);
}

/* The launches that were captured but one, which every replay can have. */
static void forget_captures(void)
{
    char command[128];

    snprintf(command, sizeof command, "rm -rf %s/captures", folder);
    assert_int_equal(system(command), 0);
}

/* What cannot be written down for want of memory is not, and nothing else comes of it. */
static kjit_status capture_and_replay(void)
{
    kjit_open_options options = { .size = sizeof options, .device = "cpu" };
    const kjit_arg args[] = { kjit_arg_host_array(data, KJIT_DTYPE_FLOAT64, 0, 1, shape),
                              kjit_arg_host_array(data, KJIT_DTYPE_FLOAT64, 0, 1, shape) };
    char captures[256];
    kjit_context *other;
    kjit_module *module;
    kjit_kernel *kernel;
    kjit_replay *replay;
    kjit_values *values = NULL;

    snprintf(captures, sizeof captures, "%s/captures", folder);
    setenv("KJIT_CAPTURE", captures, 1);
    kjit_status status = kjit_open(&options, &other);
    unsetenv("KJIT_CAPTURE");
    if (status == KJIT_OK)
        status = kjit_load_source(other, double_text, "t.k", NULL, &module);
    if (status == KJIT_OK)
        status = kjit_get_kernel(module, NULL, &kernel);
    if (status == KJIT_OK)
        status = kjit_launch(kernel, &config, args, 2);
    kjit_close(other);
    if (status != KJIT_OK)
        return status;
    /* Where it was not captured this time, the one before will do. */
    snprintf(captures, sizeof captures,
             "cd %s && if test ! -e captured; then mv captures/twice-* captured; fi", folder);
    assert_int_equal(system(captures), 0);
    snprintf(captures, sizeof captures, "%s/captured", folder);
    status = kjit_replay_open(captures, &replay);
    if (status == KJIT_OK)
        status = kjit_values_new(&values);
    if (status == KJIT_OK)
        status = kjit_replay_values(replay, 0, values);
    kjit_values_close(values);
    kjit_replay_close(replay);
    return status;
}

static kjit_status ask_the_doctor(void)
{
    setenv("KJIT_CC", "/bin/true", 1); /* which answers at once */
    char text[8];
    kjit_status status = kjit_doctor(hear, NULL);
    if (status == KJIT_OK)
        status = kjit_compiler(false, text, sizeof text);
    unsetenv("KJIT_CC");
    return status;
}

/* ---- the tasks ---------------------------------------------------------------------------- */

/* ---- tuning ------------------------------------------------------------------------------- */

static char tuned_path[128], wisdom_file[128];

static void forget_wisdom(void)
{
    unlink(wisdom_file);
}

static int go_on(void *told, const uint32_t *numbers, const kjit_launch_config *found)
{
    (void)told;
    (void)numbers;
    return found->block[0] == 0;
}

/* A space is made, asked, and its kernel loaded. */
static kjit_status use_a_space(void)
{
    kjit_arg arg = kjit_arg_array(kjit_host_array(data, KJIT_DTYPE_FLOAT64, 1, shape));
    kjit_launch_config found = { .size = sizeof found };
    kjit_module *module = NULL, *other = NULL;
    kjit_kernel *kernel;
    char digest[KJIT_DIGEST_SIZE];
    kjit_space *space = NULL;
    uint32_t values[3] = { 0 };
    const kjit_space_visitor visitor = { .size = sizeof visitor, .allowed = go_on };
    const char *why;
    kjit_status status = kjit_load_file(context, tuned_path, NULL, &module);

    if (status == KJIT_OK)
        status = kjit_get_kernel(module, NULL, &kernel);
    if (status == KJIT_OK)
        status = kjit_space_new(kernel, &space);
    if (status == KJIT_OK)
        status = kjit_space_set(space, "unused", "[1, 2]");
    if (status == KJIT_OK)
        status = kjit_space_digest(space, digest);
    if (status == KJIT_OK)
        status = kjit_space_own(space, &arg, 1, values);
    if (status == KJIT_OK)
        status = kjit_own_shape(kernel, &arg, 1, &found);
    if (status == KJIT_OK)
        status = kjit_space_allows(space, values, &arg, 1, &why);
    if (status == KJIT_OK)
        status = kjit_space_visit(space, &arg, 1, &visitor);
    if (status == KJIT_OK)
        status = kjit_space_shape(space, values, &arg, 1, &found);
    if (status == KJIT_OK && !kjit_space_unread_at(space, 0) && !kjit_space_unread_at(space, 0))
        status = KJIT_INTERNAL;
    if (status == KJIT_OK)
        status = kjit_space_kernel(space, values, &other, &kernel);
    kjit_close_module(other);
    kjit_space_close(space);
    kjit_close_module(module);
    return status;
}

/* A record is written and found again. */
static kjit_status use_wisdom(void)
{
    kjit_arg arg = kjit_arg_array(kjit_host_array(data, KJIT_DTYPE_FLOAT64, 1, shape));
    kjit_tuned tuned = { .size = sizeof tuned };
    kjit_module *module = NULL;
    kjit_kernel *kernel;
    kjit_space *space = NULL;
    const uint32_t values[2] = { 1, 0 };
    kjit_status status = kjit_load_file(context, tuned_path, NULL, &module);

    if (status == KJIT_OK)
        status = kjit_get_kernel(module, NULL, &kernel);
    if (status == KJIT_OK)
        status = kjit_space_new(kernel, &space);
    if (status == KJIT_OK)
        status = kjit_wisdom_add(space, values, &arg, 1, "time", 1, NULL);
    if (status == KJIT_OK)
        status = kjit_tuned_find(kernel, &arg, 1, &tuned);
    if (status == KJIT_OK && strcmp(tuned.how, "exact") != 0)
        status = KJIT_INTERNAL;
    if (status == KJIT_OK)
        status = kjit_launch_tuned(kernel, NULL, &arg, 1);
    kjit_space_close(space);
    kjit_close_module(module);
    return status;
}

typedef struct Task {
    const char *name;
    kjit_status (*run)(void);
    kjit_status usual;    /* what comes of it with memory; KJIT_OK */
    void (*before)(void); /* each time */
    bool slow;            /* not done again after each failure */
} Task;

#define TASK(words, ...)                                                                           \
    {                                                                                              \
        .name = (words), .run = __VA_ARGS__                                                        \
    }

static const Task tasks[] = {
    TASK("opening", open_and_close),
    TASK("a whole life", live_a_whole_life),
    TASK("a race that is found", check_a_race, .slow = true),
    TASK("loading a text", load_text),
    TASK("loading a file that imports", load_a_file_that_imports),
    TASK("loading a module of the library", load_of_the_library),
    TASK("loading what does not parse", load_what_does_not_parse, .usual = KJIT_INVALID),
    TASK("looking for no kernel", look_for_no_kernel, .usual = KJIT_ARGUMENT),
    TASK("looking for no kernel", find_evaluated_kernel, .usual = KJIT_OK),
    TASK("launching again", launch_again),
    TASK("launching what the disk cache has", launch_first, .before = remember),
    TASK("launching what it has not", launch_first, .before = forget, .slow = true),
    TASK("launching for debug", launch_for_debug),
    TASK("counting what a kernel does", count_what_a_kernel_does),
    TASK("asking the device", ask_the_device),
    TASK("launching with tuples", launch_tuples),
    TASK("launching with long tuples", launch_long_tuples),
    TASK("launching with records", launch_records),
    TASK("launching with records first", launch_records_first),
    TASK("launching what faults", launch_a_fault, .usual = KJIT_FAULT),
    TASK("compiling what makes no sense", compile_what_makes_no_sense, .usual = KJIT_INVALID),
    TASK("asking of a kernel", ask_of_a_new_kernel),
    TASK("preparing", prepare_and_launch),
    TASK("arrays", make_arrays),
    TASK("copies", copy_there_and_back),
    TASK("elements", use_elements),
    TASK("arrays given away", give_away_and_take),
    TASK("pinning", pin_and_ask),
    TASK("streams and events", order_with_events),
    TASK("graphs", make_a_graph),
    TASK("values", set_values),
    TASK("calling a program", call_a_program, .slow = true),
    TASK("values of archives", set_a_member_of_an_archive),
    TASK("values that are wrong", set_what_is_wrong, .usual = KJIT_ARGUMENT),
    TASK("examples", set_the_example),
    TASK("saving and loading", save_and_load),
    TASK("saving backwards", save_backwards),
    TASK("saving a .png", save_a_png),
    TASK("saving a .pgm", save_a_pgm),
    TASK("texts of stages", emit_texts),
    TASK("a stage for a signature", emit_for_a_signature),
    TASK("a stage for no signature", emit_for_what_is_none, .usual = KJIT_ARGUMENT),
    TASK("machine code", emit_machine_code, .slow = true),
    TASK("tokens and trees", emit_tokens_and_trees),
    TASK("IR that was printed", emit_of_ir),
    TASK("building a binary", build_a_binary, .slow = true),
    TASK("building a header", build_a_header, .slow = true),
    TASK("building for a GPU", build_for_a_gpu, .slow = true),
    TASK("launching a binary", launch_a_binary),
    TASK("launching what is embedded", launch_what_is_embedded),
    TASK("compiling many", compile_many),
    TASK("launching an edited text", launch_an_edited_text),
    TASK("listing the cache", list_the_cache, .before = remember),
    TASK("clearing the cache", clear_the_cache, .before = remember),
    TASK("the doctor", ask_the_doctor),
    TASK("a space", use_a_space),
    TASK("wisdom", use_wisdom, .before = forget_wisdom),
    TASK("capturing and replaying", capture_and_replay, .before = forget_captures),
};

#undef TASK

static void expect_usual(const Task *task, kjit_status status, const char *when)
{
    if (status != task->usual)
        fail_msg("%s: %s: %s", when, kjit_status_name(status), kjit_error_message());
}

#ifdef KJIT_DEBUG
/* The task with its n-th allocation failing; whether it had so many. */
static bool fail_at(const Task *task, int n)
{
    char text[16], when[32];

    snprintf(text, sizeof text, "%d", n);
    snprintf(when, sizeof when, "allocation %d", n);
    if (task->before)
        task->before();
    long blocks = memory_blocks();
    setenv("KJIT_FAIL_ALLOC", text, 1);
    kjit_status status = task->run();
    bool failed = memory_has_failed();
    unsetenv("KJIT_FAIL_ALLOC");
    if (status == KJIT_MEMORY && failed)
        assert_non_null(strstr(kjit_error_message(), "memory"));
    else
        expect_usual(task, status, when);
    error_set(KJIT_OK, "%s", ""); /* a long message is a block */
    if (memory_blocks() != blocks)
        fail_msg("%s: %ld blocks are left", when, memory_blocks() - blocks);
    return failed;
}

static void walk(const Task *task)
{
    for (int n = 1; fail_at(task, n); n++) {
        if (!task->slow)
            expect_usual(task, task->run(), "once more");
    }
    expect_usual(task, task->run(), "at last");
}
#else
static void walk(const Task *task)
{
    (void)task;
}
#endif

static void does_without_memory(void **state)
{
    const Task *task = *state;

    if ((task->run == emit_machine_code || task->run == build_for_a_gpu) &&
        nvrtc_version(&(int){ 0 }, &(int){ 0 }) != KJIT_OK)
        skip();
    if (task->before)
        task->before();
    expect_usual(task, task->run(), "at first");
    error_set(KJIT_OK, "%s", "");
    walk(task);
}

/* An archive as NumPy's savez() makes them, of the file `path`. */
static void write_archive(void)
{
    char name[128];
    int error;

    snprintf(name, sizeof name, "%s/a.npz", folder);
    zip_t *archive = zip_open(name, ZIP_CREATE, &error);
    assert_non_null(archive);
    zip_source_t *source = zip_source_file(archive, path, 0, -1);
    assert_true(zip_file_add(archive, "v.npy", source, 0) >= 0);
    assert_int_equal(zip_close(archive), 0);
}

static kjit_status make_binary(void)
{
    static const char *const targets[] = { "cpu" };
    const kjit_build_item item = { .kernel = twice,
                                   .signature = "twice(float64[::1], float64[::1])" };
    const kjit_build_options options = {
        .size = sizeof options, .form = "binary", .targets = targets, .target_count = 1
    };

    return kjit_build(&item, 1, &options, &binary, &binary_length);
}

static int open_kernels(void **state)
{
    kjit_load_options debug = { .size = sizeof debug, .debug = 1 };
    kjit_array array = kjit_host_array(data, KJIT_DTYPE_FLOAT64, 1, shape);
    kjit_module *module;

    if (open_all(state) != 0)
        return -1;
    snprintf(path, sizeof path, "%s/a.npy", folder);
    snprintf(many_path, sizeof many_path, "%s/many.k", folder);
    write_file("many.k", many_texts);
    write_file("helper.k", helper_text);
    snprintf(tuned_path, sizeof tuned_path, "%s/tuned.k", folder);
    snprintf(wisdom_file, sizeof wisdom_file, "%s/tuned.wisdom", folder);
    write_file("tuned.k", "from helper import more\nT = 2\n"
                          "@tune(T=[1, 2], unroll=[None, 2], block='T', problem='a.size',\n"
                          "      restrict='T in (1, 2)')\n"
                          "@cuda.jit(opt=False)\ndef tuned(a):\n    a[0] = more(T)\n");
    expect_ok(kjit_save_npy(path, &array));
    write_archive();
    twice = kernel_of(double_text);
    sums = kernel_of(tuple_text);
    heavier = kernel_of(record_text);
    out_of = kernel_with(fault_text, &debug);
    expect_ok(kjit_load_file(context, many_path, NULL, &module));
    expect_ok(kjit_get_kernel(module, NULL, &many));
    return make_binary();
}

static int close_kernels(void **state)
{
    kjit_free(binary);
    return close_all(state);
}

int main(void)
{
    struct CMUnitTest tests[ARRAY_COUNT(tasks)];

    for (size_t i = 0; i < ARRAY_COUNT(tasks); i++)
        tests[i] = (struct CMUnitTest){ .name = tasks[i].name,
                                        .test_func = does_without_memory,
                                        .initial_state = (void *)(uintptr_t)&tasks[i] };
    return _cmocka_run_group_tests("without memory", tests, ARRAY_COUNT(tests), open_kernels,
                                   close_kernels);
}
