# The rows FIXED(...) of the tables, without what stands around them. fixed.h describes them; those
# behind a line `/*@ each ... */`, or behind several, up to the next comment or empty line, are
# alike (base/each.awk).
/^\/\*@ each / {
    if (!begun)
        alike = 0
    begun = 1
    count = split(substr($0, 10, length($0) - 12), more, ";")
    for (i = 1; i <= count; i++)
        lists[++alike] = more[i]
    next
}

{ begun = 0 }

/^\/\*/ || /^$/ { alike = 1; lists[1] = "" }

/^FIXED\(/ { for (i = 1; i <= alike; i++) print with_words($0, lists[i]) }
