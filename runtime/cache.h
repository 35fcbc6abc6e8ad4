/* The disk cache: compiled kernels, found again by what they were made from.
**
** Contract
** - A key is the 128-bit digest of length-prefixed fields: the generated text, each option, the
**   target, the compiler's identity, kjit's version. Equal keys mean equal machine code.
** - An entry is a file `KEY.bin`: the payload, the kernel's signature, the target, a trailer with
**   lengths, magic and a 128-bit checksum of all before it and of the key. The payload comes
**   first, so that a shared object can be loaded from the entry's own path.
** - An entry is written under a temporary name and renamed. Readers see all of it or none,
**   through any number of processes, kill -9 and a full disk.
** - An entry that is not the user's own, or whose checksum is wrong, is not used; a damaged one is
**   removed. Either way the kernel is compiled again without a message.
** - The folder is $KJIT_CACHE, else $XDG_CACHE_HOME/kjit, else ~/.cache/kjit; mode 0700, owned by
**   the user, not a symbolic link. Without such a folder, or where it cannot be written, kjit
**   works as if the cache were empty; `problem` says why.
** - The files together never pass $KJIT_CACHE_SIZE bytes: a writer holds a lock, removes what
**   killed writers left and then what was longest not used, and writes if there is room. Reading an
**   entry counts as using it; a time that is still to come counts as long ago. The system takes the
**   lock from a holder that dies; one that stands still is waited for a few seconds at most, and
**   then nothing is written. A file system without locks can pass the bound by what is being
**   written at one moment.
** - Programs make their files in folders of scratch.c, under $TMPDIR; only where that is of no use
**   in the cache's folder, where what they are about to write cannot be foreseen.
** - Any thread may use one cache at any time. */
#pragma once

#include "base/base.h"
#include "include/kjit_tools.h"

enum { CACHE_PATH_MAX = 4096 };

typedef struct Cache {
    char directory[CACHE_PATH_MAX]; /* "" if there is none */
    int folder;                     /* its descriptor, -1 if it is not usable */
    bool writable;
    uint64_t limit;
    char problem[256]; /* why it is not usable; "" if it is */
} Cache;

typedef struct CacheKey {
    char name[33]; /* 32 hexadecimal digits */
} CacheKey;

typedef struct KeyState KeyState;

/* ---- cache/key.c ---------------------------------------------------------------------- */

/* Starts a key; NULL if there is no memory, which every function below takes as "no key". */
KeyState *key_begin(void);
void key_field(KeyState *state, const void *data, size_t length);
void key_text(KeyState *state, const char *text);
void key_number(KeyState *state, uint64_t number);
void key_words(KeyState *state, const char *const *words, int count);
/* Path, size and modification time of a file: the identity of a compiler, without running it. */
void key_file(KeyState *state, const char *path);
/* Ends a key and frees the state; false if there is none. */
bool key_end(KeyState *state, CacheKey *key);
/* The digest of some bytes alone. */
void key_of_bytes(const void *data, size_t length, CacheKey *key);

/* ---- cache/folder.c ------------------------------------------------------------------- */

/* Finds the folder, making it if need be. `disabled`: as if there were none. KJIT_ARGUMENT, and a
** cache that is not usable, if KJIT_CACHE_SIZE makes no sense; it is not looked at if disabled. */
kjit_status cache_open(Cache *cache, bool disabled);
void cache_close(Cache *cache);

/* ---- cache/cache.c -------------------------------------------------------------------- */

/* The payload of an entry, to be memory_free()d, with a NUL behind it; NULL if it is not there.
** `path`, if not NULL, gets the entry's file. */
char *cache_read(Cache *cache, const CacheKey *key, size_t *length, char path[CACHE_PATH_MAX]);
/* Stores an entry; false, without complaint, if that cannot be done. */
bool cache_write(Cache *cache, const CacheKey *key, const void *payload, size_t length,
                 const char *call, const char *target, char path[CACHE_PATH_MAX]);

/* ---- cache/scratch.c ------------------------------------------------------------------ */

/* A new folder for files that other programs make, and that go with it. */
typedef struct Scratch {
    char folder[CACHE_PATH_MAX]; /* "" if there is none */
    int lock;                    /* says that this process lives; -1 if there are no locks */
} Scratch;

/* Makes the folder in `above`, or with NULL in kjit-UID under $TMPDIR (/tmp). Those that killed
** processes left there go. */
bool scratch_open(Scratch *scratch, const char *above);
void scratch_path(const Scratch *scratch, const char *name, char path[CACHE_PATH_MAX]);
/* Removes the folder with what is in it. */
void scratch_close(Scratch *scratch);

/* Removes the folder `name` of a killed process; not those of living ones. */
void scratch_sweep(int above, const char *name);
