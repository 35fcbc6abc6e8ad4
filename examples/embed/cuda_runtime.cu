/* One process, two owners of a GPU: plain CUDA runtime code and kjit, which share its primary
** context, their memory, streams and events, and leave each other's settings alone.
**
**     nvcc cuda_runtime.cu -lkjit -lcuda -o cuda_runtime && ./cuda_runtime
**
** The numbers pass through four kernels on one stream, which wait for one another without the host:
** x + 1 in CUDA, 2 * x in kjit, x + 1 in CUDA again, on kjit's memory, and 3 * x in kjit. */
#include <cuda.h>
#include <cuda_runtime.h>
#include <kjit.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 1000000, THREADS = 256, BLOCKS = (COUNT + THREADS - 1) / THREADS };

static const char text[] = "@cuda.jit\n"
                           "def scale(x, out, factor):\n"
                           "    i = cuda.grid(1)\n"
                           "    if i < out.size:\n"
                           "        out[i] = factor * x[i]\n";

__global__ void add_one(float *x, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < count)
        x[i] += 1;
}

static void must(cudaError_t result)
{
    if (result == cudaSuccess)
        return;
    fprintf(stderr, "%s\n", cudaGetErrorString(result));
    exit(1);
}

/* The calling thread's device and context, which no call of kjit changes. */
typedef struct Current {
    int device;
    CUcontext context;
} Current;

static Current current(void)
{
    Current now;

    must(cudaGetDevice(&now.device));
    if (cuCtxGetCurrent(&now.context) != CUDA_SUCCESS)
        exit(1);
    return now;
}

static void must_leave(const Current *before, kjit_status status, const char *call)
{
    Current after = current();

    if (status != KJIT_OK)
        fprintf(stderr, "%s: %s\n", call, kjit_error_message());
    else if (after.device != before->device || after.context != before->context)
        fprintf(stderr, "%s left another device or context current\n", call);
    else
        return;
    exit(1);
}

#define KJIT(call)                                                                                 \
    do {                                                                                           \
        Current before = current();                                                                \
        kjit_status status = (call);                                                               \
        must_leave(&before, status, #call);                                                        \
    } while (0)

/* Memory of the runtime's as an array: whoever made it frees it. */
static kjit_array wrap(float *memory)
{
    const int64_t shape[] = { COUNT };
    kjit_array array = kjit_host_array(memory, KJIT_DTYPE_FLOAT32, 1, shape);

    array.flags = KJIT_ON_DEVICE;
    return array;
}

static kjit_context *context;
static kjit_kernel *scale;

static void launch_scale(kjit_stream *stream, kjit_array from, kjit_array to, float factor)
{
    kjit_arg args[] = { kjit_arg_array(from), kjit_arg_array(to), kjit_arg_float32(factor) };
    kjit_launch_config config = { sizeof config, { BLOCKS, 1, 1 }, { THREADS, 1, 1 }, 0, stream };

    KJIT(kjit_launch(scale, &config, args, 3));
}

/* kjit's work on a stream of its own waits for CUDA's by an event, and CUDA's stream for kjit's. */
static void share_events(cudaStream_t stream, kjit_array array)
{
    kjit_stream *wrapped, *own;
    kjit_event *ready;
    cudaEvent_t done;

    KJIT(kjit_stream_foreign(context, stream, &wrapped));
    KJIT(kjit_stream_new(context, NULL, &own));
    KJIT(kjit_event_new(context, 0, &ready));
    must(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));

    add_one<<<BLOCKS, THREADS, 0, stream>>>((float *)array.data, COUNT);
    KJIT(kjit_event_record(ready, wrapped));
    KJIT(kjit_event_wait(ready, own));
    launch_scale(own, array, array, 3);
    must(cudaEventRecord(done, (cudaStream_t)kjit_stream_handle(own)));
    must(cudaStreamWaitEvent(stream, done, 0));

    must(cudaEventDestroy(done)); /* once it was passed */
    kjit_event_close(ready);
    kjit_stream_close(own);
    kjit_stream_close(wrapped); /* the handle; the stream is CUDA's */
}

int main(void)
{
    static float x[COUNT], result[COUNT];
    kjit_module *module;
    kjit_stream *wrapped;
    kjit_array ours;
    cudaStream_t stream;
    float *theirs;
    int wrong = 0, device;
    const int64_t shape[] = { COUNT };
    kjit_open_options options = { sizeof options, NULL, 0 };
    char name[24];

    for (int i = 0; i < COUNT; i++)
        x[i] = (float)(i % 1000);
    must(cudaMalloc((void **)&theirs, sizeof x));
    must(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    must(cudaGetDevice(&device));
    snprintf(name, sizeof name, "cuda:%d", device); /* CUDA's numbers are kjit's */
    options.device = name;
    KJIT(kjit_open(&options, &context));
    KJIT(kjit_load_source(context, text, "scale.k", NULL, &module));
    KJIT(kjit_get_kernel(module, "scale", &scale));
    KJIT(kjit_array_new(context, KJIT_DTYPE_FLOAT32, 1, shape, NULL, &ours));
    KJIT(kjit_stream_foreign(context, stream, &wrapped));

    must(cudaMemcpyAsync(theirs, x, sizeof x, cudaMemcpyHostToDevice, stream));
    add_one<<<BLOCKS, THREADS, 0, stream>>>(theirs, COUNT);
    launch_scale(wrapped, wrap(theirs), ours, 2);
    share_events(stream, ours);
    must(cudaMemcpyAsync(result, ours.data, sizeof result, cudaMemcpyDeviceToHost, stream));
    must(cudaStreamSynchronize(stream));
    for (int i = 0; i < COUNT; i++)
        wrong += result[i] != 3 * (2 * (x[i] + 1) + 1);
    printf("%d of %d numbers are wrong\n", wrong, COUNT);

    KJIT(kjit_array_free(context, &ours));
    kjit_stream_close(wrapped);
    kjit_close(context);
    /* The primary context stays for who else has it. */
    add_one<<<BLOCKS, THREADS, 0, stream>>>(theirs, COUNT);
    must(cudaStreamSynchronize(stream));
    must(cudaStreamDestroy(stream));
    must(cudaFree(theirs));
    return wrong != 0;
}
