/* Digests of bytes, by libmd, and packed bytes, by zlib, which are loaded when one is asked for. */
#include "runtime/program/arrays.h"

#include <dlfcn.h>

/* A function of a library, which stays loaded; NULL after an error. */
static void *wanted(Program *p, const char *file, const char *package, const char *name)
{
    void *library = dlopen(file, RTLD_LAZY | RTLD_LOCAL);
    void *function = library ? dlsym(library, name) : NULL;
    if (!function)
        host_lacks(p, "NotImplementedError", "this needs %s of %s, which is not there: install %s",
                   name, file, package);
    return function;
}

static bool bytes_of(Program *p, HostValue array, const unsigned char **data, size_t *length)
{
    if (!host_array_read(p, array.array))
        return false;
    *data = array.array->view.data;
    *length = (size_t)array.array->view.shape[0];
    return true;
}

/* os._digest(bytes, name): by libmd's SHA256Data() and its like, a text. */
static bool digest(Program *p, HostArgs *args, HostValue *out)
{
    typedef char *Digest(const unsigned char *data, size_t length, char *text);
    char text[256];
    const unsigned char *data;
    size_t length;
    if (!args_are(p, args, "bs") || !bytes_of(p, args->values[0], &data, &length))
        return false;
    const char *name = arena_printf(&p->scratch, "%sData", args->values[1].string->text);
    Digest *function = (Digest *)(uintptr_t)wanted(p, "libmd.so.0", "libmd0", name);
    return function && host_give(out, host_text(p, function(data, length, text)));
}

/* os._pack(bytes, level), and with level None back; None where the bytes are no packed ones. */
static bool pack(Program *p, HostArgs *args, HostValue *out)
{
    enum { FINE = 0, FULL = -5 };
    typedef int Pack(unsigned char *to, unsigned long *room, const unsigned char *from,
                     unsigned long length, int level);
    typedef int Unpack(unsigned char *to, unsigned long *room, const unsigned char *from,
                       unsigned long length);
    const bool packs = args->values[1].kind != HOST_NONE;
    const unsigned char *data;
    size_t length;
    int64_t level = 0;
    int status;
    if (!args_are(p, args, "b.") || !bytes_of(p, args->values[0], &data, &length) ||
        (packs && !host_integer(p, args->values[1], &level)))
        return false;
    const uintptr_t function =
        (uintptr_t)wanted(p, "libz.so.1", "zlib1g", packs ? "compress2" : "uncompress");
    if (!function)
        return false;
    unsigned long room = length / 2 + 1024;
    for (;;) {
        HostArray *array;
        const int64_t shape[1] = { (int64_t)room };
        if (!host_array_new(p, KJIT_DTYPE_UINT8, 1, shape, false, &array) ||
            !host_array_write(p, array))
            return false;
        unsigned long used = room;
        status = packs ? ((Pack *)function)(array->view.data, &used, data, length, (int)level)
                       : ((Unpack *)function)(array->view.data, &used, data, length);
        array->view.shape[0] = (int64_t)used;
        *out = status == FINE ? host_object(array) : host_none();
        if (status != FULL || room > (unsigned long)HOST_ITEMS_MOST)
            return true;
        room *= 2;
    }
}

const HostBuiltin digest_functions[] = {
    { "os._digest", 2, 2, digest, NULL },
    { "os._pack", 2, 2, pack, NULL },
    { NULL, 0, 0, NULL, NULL },
};
