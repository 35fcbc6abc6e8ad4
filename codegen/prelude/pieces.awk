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

# Text of a piece, with the words of one of those alike in place of $1, $2, ...
function filled(text, words, count,    i)
{
    for (i = 1; i <= count; i++)
        text = escaped(text, "[$]" i, words[i])
    return quoted(text)
}

function finish(    lists, words, count, alike, i)
{
    sub(/\n+$/, "", body)
    alike = split(each, lists, ";")
    for (i = 1; name != "" && i <= alike; i++) {
        count = split(trimmed(lists[i]), words, " ")
        print "PIECE(" filled(name, words, count) ", " filled(types, words, count) ", " \
              filled(needs, words, count) ", " filled(builtin, words, count) ", " \
              filled(body, words, count) ")"
    }
}

# name types : needs, or name types = builtin; in front of them, for several alike, each lists of
# words:
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
