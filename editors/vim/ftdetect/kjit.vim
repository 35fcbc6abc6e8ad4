autocmd BufRead,BufNewFile *.k setfiletype kjit
