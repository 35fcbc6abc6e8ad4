# bash completes kjit's commands, options, files, kernels of a file and parameters of a kernel.
_kjit()
{
    local line=${COMP_LINE:0:COMP_POINT} words word cut
    read -ra words <<<"$line"
    word=${line##*[[:space:]]}
    [ -n "$word" ] || words+=('')
    # What bash takes for the word begins behind the last : or = of it.
    cut=${word%"${word##*[:=]}"}
    mapfile -t COMPREPLY < <(kjit complete "${words[@]:1}" 2>/dev/null | cut -c $((${#cut} + 1))-)
    [[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace
}
complete -o default -F _kjit kjit
