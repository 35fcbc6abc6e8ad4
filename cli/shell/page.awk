# What README.md has for the manual page of a command, for help2man --include: examples, and for
# that of kjit itself the environment.
#     awk -v command=run -f page.awk README.md

# As troff has it: code in bold, no character that it takes for its own.
function troff(text)
{
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    while (match(text, /`[^`]*`/))
        text = substr(text, 1, RSTART - 1) "\\fB" substr(text, RSTART + 1, RLENGTH - 2) "\\fR" \
               substr(text, RSTART + RLENGTH)
    gsub(/'/, "\\(aq", text)
    return text
}

function heading(name)
{
    if (!said[name]++)
        print "[" name "]"
}

/^## /                { section = $0 }
section == "## Using it" && command && $0 ~ "^    kjit " command " " {
    heading("examples")
    line = substr($0, 5)
    remark = match(line, / +# /) ? substr(line, RSTART + RLENGTH) : ""
    sub(/ +# .*/, "", line)
    gsub(/build\//, "", line)
    line = "\\fB" troff(line) "\\fR"
    print remark ? ".TP\n" line "\n" troff(remark) : ".PP\n" line
}
section == "## Environment" && !command && /^\| `/ {
    heading("environment")
    split($0, cell, / \| /)
    sub(/^\| /, "", cell[1])
    sub(/ \|$/, "", cell[3])
    print ".TP\n" troff(cell[1]) "\n" troff(cell[2]) ". Unset: " troff(cell[3]) "."
}
END {
    if (command) {
        print "[environment]\n\\fBkjit\\fR(1) has the variables that kjit looks at."
        print "[see also]\n\\fBkjit\\fR(1); \\fBkjit help " command "\\fR says the same as this page."
    } else
        print "[see also]\n\\fBkjit help COMMAND\\fR says the same as the page \\fBkjit-COMMAND\\fR(1)."
    print "The documents that are named docs/NAME.md, the language's among them, are installed in"
    print "share/doc/kjit/docs, examples in share/doc/kjit/examples, where PREFIX, /usr or"
    print "/usr/local, is before it."
}
