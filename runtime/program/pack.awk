# A module of library/python/ without what only its readers need: blank lines, comments on lines of
# their own, the text in front, and three of four blanks of each level. Strings of several lines are
# texts in front of modules and functions alone. Names are looked for behind ends of lines.
BEGIN { print "" }
FNR == 1 && /^"""/ {
    front = !(length($0) > 5 && /"""$/)
    next
}
front {
    front = !/"""$/
    next
}
/^ *(#|$)/ { next }
{
    blanks = match($0, /[^ ]/) - 1
    printf "%*s%s\n", int(blanks / 4), "", substr($0, blanks + 1)
}
