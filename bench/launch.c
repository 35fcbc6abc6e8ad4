/* What kjit adds to the driver's and NVRTC's own time: prepared launches beside bare cuLaunchKernel
** calls of the same machine code, and compilations beside NVRTC's of the same text. Needs a GPU. */
#include "bench/driver.h"

#include <kjit_tools.h>

#include <string.h>

enum { LAUNCHES = 1000, ROUNDS = 101, COMPILES = 9 };

static void must(kjit_status status)
{
    if (status == KJIT_OK)
        return;
    fprintf(stderr, "%s\n", kjit_error_message());
    exit(1);
}

static const char text[] = "N = 0\n\n\n"
                           "@cuda.jit\n"
                           "def one(a):\n"
                           "    if a.shape[0] < 0:\n"
                           "        a[0] = 0\n\n\n"
                           "@cuda.jit\n"
                           "def five(a, b, c, n, s):\n"
                           "    if n < 0:\n"
                           "        a[0] = b[0] + c[0] * s\n\n\n"
                           "@cuda.jit\n"
                           "def hist(x, low, high, bins):\n"
                           "    width = (high - low) / bins.shape[0] + N\n"
                           "    for i in range(cuda.grid(1), x.shape[0], cuda.gridsize(1)):\n"
                           "        b = math.floor((x[i] - low) / width)\n"
                           "        if b >= 0 and b < bins.shape[0]:\n"
                           "            cuda.atomic.add(bins, b, 1)\n";

static kjit_module *load(kjit_context *context, const char *n)
{
    kjit_define define = { "N", n };
    kjit_load_options options = { .size = sizeof(options), .defines = &define, .define_count = 1 };
    kjit_module *module;
    must(kjit_load_source(context, text, "bench.k", &options, &module));
    return module;
}

/* What `call` takes longer than `bare`, in microseconds: medians over rounds of each in turn. */
static void compare(const char *what, void bare(void *), void *bare_data, void call(void *),
                    void *call_data)
{
    static double one[ROUNDS], other[ROUNDS];
    for (int r = -3; r < ROUNDS; r++) { /* a few to warm up */
        double start = now_us();
        for (int i = 0; i < LAUNCHES; i++)
            bare(bare_data);
        double middle = now_us();
        synchronize();
        double again = now_us();
        for (int i = 0; i < LAUNCHES; i++)
            call(call_data);
        double end = now_us();
        synchronize();
        if (r < 0)
            continue;
        one[r] = (middle - start) / LAUNCHES;
        other[r] = (end - again) / LAUNCHES;
    }
    double base = median(one, ROUNDS), ours = median(other, ROUNDS);
    printf("%s: cuLaunchKernel %.3f us, kjit %.3f us, %.2f times, %+.3f us\n", what, base, ours,
           ours / base, ours - base);
}

typedef struct Bare {
    void *function;
    void **params;
} Bare;

static void call_bare(void *what)
{
    Bare *bare = what;
    launch(bare->function, 1, 1, 1, 32, 1, 1, 0, NULL, bare->params, NULL);
}

static void call_prepared(void *what)
{
    kjit_launch_prepared(what);
}

/* A launch with everything decided anew, as KJIT_CALL spells it. */
typedef struct Call {
    kjit_kernel *kernel;
    kjit_array array;
} Call;

static void call_one(void *what)
{
    Call *call = what;
    KJIT_CALL(call->kernel, KJIT_GRID(1), KJIT_BLOCK(32), call->array);
}

static void call_five(void *what)
{
    Call *call = what;
    KJIT_CALL(call->kernel, KJIT_GRID(1), KJIT_BLOCK(32), call->array, call->array, call->array,
              (int64_t)7, 2.5f);
}

static void compare_launches(kjit_context *context, const char *name, const kjit_arg *args,
                             size_t count, void **params)
{
    kjit_module *module = load(context, "0");
    kjit_kernel *kernel;
    kjit_prepared *prepared;
    kjit_launch_config config = { .size = sizeof(config), .grid = { 1 }, .block = { 32 } };
    kjit_emit_options options = {
        .size = sizeof(options), .stage = "cubin", .args = args, .arg_count = count
    };
    char *cubin;
    size_t length;
    must(kjit_get_kernel(module, name, &kernel));
    must(kjit_prepare(kernel, &config, args, count, &prepared));
    must(kjit_emit(kernel, &options, &cubin, &length));
    Bare bare = { NULL, params };
    void *loaded;
    check(module_load(&loaded, cubin), "cuModuleLoadData");
    check(get_function(&bare.function, loaded, name), "cuModuleGetFunction");
    Call call = { kernel, args[0].as.array };
    char what[64];
    snprintf(what, sizeof(what), "prepared launch of %s", name);
    compare(what, call_bare, &bare, call_prepared, prepared);
    snprintf(what, sizeof(what), "KJIT_CALL of %s", name);
    compare(what, call_bare, &bare, count == 1 ? call_one : call_five, &call);
    kjit_free(cubin);
    kjit_close_prepared(prepared);
}

static double nvrtc_alone(const char *cuda)
{
    static const char *const options[] = { "--gpu-architecture=sm_90", "-minimal", "-no-cache" };
    void *program;
    size_t size;
    double start = now_us();
    check(program_new(&program, cuda, "bench.cu", 0, NULL, NULL), "nvrtcCreateProgram");
    check(program_compile(program, 3, options), "nvrtcCompileProgram");
    check(cubin_size(program, &size), "nvrtcGetCUBINSize");
    char *cubin = malloc(size);
    check(cubin_get(program, cubin), "nvrtcGetCUBIN");
    double spent = now_us() - start;
    program_free(&program);
    free(cubin);
    return spent;
}

static void compare_compilations(kjit_context *context, const kjit_arg *args)
{
    double ours[COMPILES], theirs[COMPILES];
    for (int i = -1; i < COMPILES; i++) { /* the first pays for starting NVRTC */
        char n[16];
        snprintf(n, sizeof(n), "%d.5", i + 1);
        kjit_module *module = load(context, n);
        kjit_kernel *kernel;
        char *cuda;
        size_t length;
        kjit_emit_options options = {
            .size = sizeof(options), .stage = "cuda", .args = args, .arg_count = 4
        };
        must(kjit_get_kernel(module, "hist", &kernel));
        must(kjit_emit(kernel, &options, &cuda, &length));
        double start = now_us(), alone;
        must(kjit_compile(kernel, args, 4));
        double spent = now_us() - start;
        alone = nvrtc_alone(cuda);
        if (i >= 0) {
            ours[i] = spent;
            theirs[i] = alone;
        }
        kjit_free(cuda);
        kjit_close_module(module);
    }
    double a = median(ours, COMPILES) / 1e3, b = median(theirs, COMPILES) / 1e3;
    printf("compilation of hist: NVRTC alone %.2f ms, kjit with loading %.2f ms, %.2f times, "
           "%+.2f ms\n",
           b, a, a / b, a - b);
}

int main(void)
{
    kjit_context *context;
    kjit_open_options options = { .size = sizeof(options), .device = "cuda", .no_disk_cache = 1 };
    bench_load();
    must(kjit_open(&options, &context));
    void *primary;
    int device;
    check(init(0), "cuInit");
    check(device_get(&device, 0), "cuDeviceGet");
    check(primary_retain(&primary, device), "cuDevicePrimaryCtxRetain");
    check(set_current(primary), "cuCtxSetCurrent");

    static float values[1024];
    static int32_t bins[150];
    int64_t n = 1024, m = 150, scalar = 7;
    float s = 2.5f;
    kjit_array host = kjit_host_array(values, KJIT_DTYPE_FLOAT32, 1, &n), array, counts;
    kjit_array host_bins = kjit_host_array(bins, KJIT_DTYPE_INT32, 1, &m);
    must(kjit_to_device(context, &host, &array));
    must(kjit_to_device(context, &host_bins, &counts));
    kjit_arg x = { .kind = KJIT_ARG_ARRAY, .as.array = array };
    kjit_arg b = { .kind = KJIT_ARG_ARRAY, .as.array = counts };
    kjit_arg i = { .kind = KJIT_ARG_SCALAR, .dtype = KJIT_DTYPE_INT64, .as.integer = scalar };
    kjit_arg f = { .kind = KJIT_ARG_SCALAR, .dtype = KJIT_DTYPE_FLOAT32, .as.number = s };
    void *five[] = { &array.data, &n, &array.data, &n, &array.data, &n, &scalar, &s };
    compare_launches(context, "one", (kjit_arg[]){ x }, 1, five);
    compare_launches(context, "five", (kjit_arg[]){ x, x, x, i, f }, 5, five);
    compare_compilations(context, (kjit_arg[]){ x, f, f, b });
    kjit_close(context);
    return 0;
}
