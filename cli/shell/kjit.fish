# fish completes kjit's commands, options, files, kernels of a file and parameters of a kernel.
function __kjit_complete
    set -l words (commandline -opc) (commandline -ct)
    kjit complete $words[2..-1] 2>/dev/null
end
# Files where kjit has nothing to say.
complete -c kjit -f -n 'test (count (__kjit_complete)) -gt 0' -a '(__kjit_complete)'
