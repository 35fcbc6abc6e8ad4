/* Texts of fixed length, NumPy's 'S8' and '<U8', which are elements of arrays and fields of
** records.
**
** One is a record whose only field, of a name that no user's has, holds the codes of its letters:
** bytes of 'S', Unicode's numbers of 'U'. What lies behind the text is 0. Wherever records go, they
** go. */
#include "ir/types/types.h"

static const char codes_of_bytes[] = "|S", codes_of_unicode[] = "<U";

const Type *type_characters(Types *types, bool unicode, int64_t count)
{
    RecordField codes = { .name = unicode ? codes_of_unicode : codes_of_bytes,
                          .type = unicode ? type_uint32 : type_of(UINT8),
                          .rank = 1 };
    codes.shape[0] = count;
    return type_record(types, &codes, 1, 0);
}

bool type_is_characters(const Type *type)
{
    if (!type_is_record(type) || type->record.count != 1)
        return false;
    const char *name = type->record.fields[0].name;
    return strcmp(name, codes_of_bytes) == 0 || strcmp(name, codes_of_unicode) == 0;
}

bool characters_are_unicode(const Type *type)
{
    return type->record.fields[0].type == type_uint32;
}

int64_t characters_count(const Type *type)
{
    return type->record.fields[0].shape[0];
}

const Type *type_characters_named(Types *types, const char *name)
{
    enum { MOST = 1 << 24 };
    name += *name && strchr("<=|", *name) ? 1 : 0;
    if (!type_is_of_characters(name))
        return NULL;
    long count = strtol(name + 1, NULL, 10);
    return count >= 1 && count <= MOST ? type_characters(types, *name == 'U', count) : NULL;
}

void characters_print(Buf *out, const Type *type)
{
    buf_printf(out, "%s(%lld)", characters_are_unicode(type) ? "UnicodeCharSeq" : "CharSeq",
               (long long)characters_count(type));
}
