/* Disassembly by the tools of the CUDA toolkit. Code that knows its lines is shown with these, by
** nvdisasm, which alone prints them. */
#include "runtime/cuda/nvrtc.h"

#include <unistd.h>

static const struct {
    const char *program, *option; /* the option may be NULL */
} disassemblers[] = {
    { "nvdisasm", "-g" },
    { "cuobjdump", "-sass" },
    { "nvdisasm", NULL },
};

enum { WITH_LINES = 1 }; /* the first of them */

/* On PATH, in the toolkit, or in a wheel of Python's. */
static bool find_program(const char *name, char path[CACHE_PATH_MAX])
{
    char toolkit[64];

    snprintf(toolkit, sizeof toolkit, "/usr/local/cuda/bin/%s", name);
    return spawn_find(name, path, CACHE_PATH_MAX) || spawn_find(toolkit, path, CACHE_PATH_MAX) ||
           (wheels_find("bin", name, path) && access(path, X_OK) == 0);
}

/* The index of the first available one from `first` on; -1: none. */
static int find(size_t first, char path[CACHE_PATH_MAX])
{
    for (size_t i = first; i < ARRAY_COUNT(disassemblers); i++) {
        if (find_program(disassemblers[i].program, path))
            return (int)i;
    }
    return -1;
}

bool disassembler_find(char path[CACHE_PATH_MAX])
{
    return find(WITH_LINES, path) >= 0;
}

static kjit_status run(char *program, const char *option, char *file, char **text, size_t *length)
{
    char *words[] = { program, file, NULL, NULL }, *errors = NULL;

    if (option) {
        words[1] = (char *)(uintptr_t)option;
        words[2] = file;
    }
    int result = spawn_run(words, "", 0, text, length, &errors);
    kjit_status status = KJIT_OK;
    if (result != 0 || !*text) {
        status = error_set(KJIT_INTERNAL, "error: %s failed (%d)\n%s", program, result,
                           errors ? errors : "");
        memory_free(*text);
        *text = NULL;
    }
    memory_free(errors);
    return status;
}

kjit_status cubin_disassemble(const char *cubin, size_t length, char **text, size_t *text_length)
{
    char program[CACHE_PATH_MAX], path[CACHE_PATH_MAX];
    bool lines = memmem(cubin, length, ".debug_line", strlen(".debug_line")) != NULL;
    int found = find(lines ? 0 : WITH_LINES, program);
    Scratch scratch;

    *text = NULL;
    if (found < 0)
        return error_set(KJIT_NO_DEVICE,
                         "error: machine code cannot be shown: there is neither cuobjdump "
                         "nor nvdisasm\nnote: both come with the CUDA toolkit; put its bin "
                         "folder on PATH, or pip install nvidia-cuda-nvdisasm");
    if (!scratch_open(&scratch, NULL))
        return error_set(KJIT_FILE, "error: there is no folder for temporary files\n"
                                    "note: set TMPDIR to one that can be written");
    scratch_path(&scratch, "kernel.cubin", path);
    kjit_status status = file_write(path, "", 0, cubin, length);
    if (status == KJIT_OK)
        status = run(program, disassemblers[found].option, path, text, text_length);
    scratch_close(&scratch);
    return status;
}
