# fish completes kjit's commands, options, files, kernels of a file and parameters of a kernel.
function __kjit_complete
    set -l words (commandline -opc) (commandline -ct)
    kjit complete $words[2..-1] 2>/dev/null
end
complete -c kjit -a '(__kjit_complete)'
