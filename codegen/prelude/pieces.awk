# A prelude's pieces as rows of a C table, a line each, in any order:
#     PIECE("name", "types", "needs", "builtin", "body")
# emit.h describes the notation of the heads.

# Every `mark` put before its twin: sub() would have its own mind about backslashes.
function escaped(text, mark, with,    parts, count, i, out)
{
    count = split(text, parts, mark)
    out = parts[1]
    for (i = 2; i <= count; i++)
        out = out with parts[i]
    return out
}

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

function finish()
{
    sub(/\n+$/, "", body)
    if (name != "")
        print "PIECE(" quoted(name) ", " quoted(types) ", " quoted(needs) ", " quoted(builtin) \
              ", " quoted(body) ")"
}

# name types : needs, or name types = builtin
/^\/\*@ .* \*\/$/ {
    finish()
    head = trimmed(substr($0, 5, length($0) - 7))
    needs = builtin = body = ""
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
