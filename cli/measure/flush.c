/* Empty caches. Writing as many bytes as they hold is not quite enough, for what goes first is not
** strictly what was used longest ago: twice as many are written. Where the size is not known it is
** taken for that of the largest there are.
**
** The processor's threads have caches of their own: all of them write, each its part. */
#include <stdlib.h>
#include <string.h>

#include "cli/measure/measure.h"
#include "cli/measure/memory.h"

enum { TIMES = 2, LARGEST = 512 << 20, BLOCK = 256 };

static const char flush_text[] = "@cuda.jit\n"
                                 "def flush(memory):\n"
                                 "    i = cuda.grid(1)\n"
                                 "    if i < memory.size:\n"
                                 "        memory[i] += 1\n";

struct Flush {
    kjit_context *context;
    kjit_array memory;
    kjit_module *module; /* on the processor; else NULL, as what follows */
    kjit_prepared *writing;
};

static kjit_status prepare_writing(Flush *flush)
{
    kjit_launch_config config = { .size = sizeof config, .block = { BLOCK, 1, 1 } };
    kjit_arg arg = kjit_arg_array(flush->memory);
    kjit_kernel *kernel;
    kjit_status status =
        kjit_load_source(flush->context, flush_text, "flush.k", NULL, &flush->module);

    config.grid[0] = (uint32_t)((flush->memory.shape[0] + BLOCK - 1) / BLOCK);
    if (status == KJIT_OK)
        status = kjit_get_kernel(flush->module, NULL, &kernel);
    if (status == KJIT_OK)
        status = kjit_prepare(kernel, &config, &arg, 1, &flush->writing);
    return status;
}

kjit_status flush_new(kjit_context *context, Flush **made)
{
    kjit_device_info device = { .size = sizeof device };
    kjit_status status = kjit_device_facts(context, &device);

    *made = NULL;
    if (status != KJIT_OK)
        return status;
    Flush *flush = must_alloc(sizeof *flush);
    int64_t words = TIMES * (device.l2_bytes > 0 ? device.l2_bytes : LARGEST) / 8;
    *flush = (Flush){ .context = context };
    status = kjit_array_new(context, KJIT_DTYPE_INT64, 1, &words, NULL, &flush->memory);
    if (status == KJIT_OK)
        status = kjit_array_zero(context, NULL, &flush->memory);
    if (status == KJIT_OK && strncmp(kjit_device_name(context), "cuda", 4) != 0)
        status = prepare_writing(flush);
    if (status != KJIT_OK) {
        flush_free(flush);
        return status;
    }
    *made = flush;
    return KJIT_OK;
}

void flush_free(Flush *flush)
{
    if (!flush)
        return;
    kjit_close_prepared(flush->writing);
    kjit_close_module(flush->module);
    kjit_array_free(flush->context, &flush->memory);
    free(flush);
}

kjit_status flush_caches(Flush *flush, kjit_stream *stream)
{
    if (flush->writing)
        return kjit_launch_prepared(flush->writing);
    return kjit_array_zero(flush->context, stream, &flush->memory);
}
