# A prelude's pieces as rows of a C table, a line each, in any order:
#     PIECE("name", "types", "needs", "builtin", "body")
# emit.h describes the notation of the heads.

function quoted(text)
{
    text = escaped(text, "[\\\\]", "\\\\")
    text = escaped(text, "[\"]", "\\\"")
    text = escaped(text, "\n", "\\n")
    return "\"" text "\""
}

function trimmed(text)
{
    gsub(/^ +| +$/, "", text)
    return text
}

function filled(text, list)
{
    return quoted(with_words(text, list))
}

function finish(    lists, alike, i)
{
    sub(/\n+$/, "", body)
    alike = split(each, lists, ";")
    for (i = 1; name != "" && i <= alike; i++)
        print "PIECE(" filled(name, lists[i]) ", " filled(types, lists[i]) ", " \
              filled(needs, lists[i]) ", " filled(builtin, lists[i]) ", " filled(body, lists[i]) ")"
}

# What stands in front of a file's first piece says what the file is for.
FNR == 1 {
    finish()
    name = ""
}

# name types : needs, or name types = builtin; in front of that may stand `each LISTS:`
/^\/\*@ .* \*\/$/ {
    finish()
    head = trimmed(substr($0, 5, length($0) - 7))
    needs = builtin = body = ""
    each = " "
    if (head ~ /^each /) {
        at = index(head, ":")
        each = substr(head, 6, at - 6)
        head = trimmed(substr(head, at + 1))
    }
    if ((at = match(head, /[:=]/)) > 0) {
        if (substr(head, at, 1) == ":")
            needs = trimmed(substr(head, at + 1))
        else
            builtin = trimmed(substr(head, at + 1))
        head = trimmed(substr(head, 1, at - 1))
    }
    name = head
    sub(/ .*/, "", name)
    types = trimmed(substr(head, length(name) + 1))
    next
}

{ body = body $0 "\n" }

END { finish() }
