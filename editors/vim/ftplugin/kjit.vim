" Kernels are indented and commented as Python is; messages are compilers'.
runtime! ftplugin/python.vim indent/python.vim
let &l:makeprg = 'kjit build --emit ir -o /dev/null %:S'
setlocal errorformat=%f:%l:%c:\ %trror:\ %m,%f:%l:%c:\ %tarning:\ %m,%f:%l:%c:\ %tote:\ %m,%-G%.%#
