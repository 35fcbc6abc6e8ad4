# What tables of the build write once for rows that are alike:
#     each WORD WORD...; WORD WORD...
# makes a row of each list of words, with its words where the row has $1, $2, ...

# Every `mark` put before its twin: sub() would have its own mind about backslashes.
function escaped(text, mark, with,    parts, count, i, out)
{
    count = split(text, parts, mark)
    out = parts[1]
    for (i = 2; i <= count; i++)
        out = out with parts[i]
    return out
}

function with_words(text, list,    words, count, i)
{
    count = split(list, words, " ")
    for (i = 1; i <= count; i++)
        text = escaped(text, "[$]" i, words[i])
    return text
}
