-- What a person does in Neovim, which the server hears from a client that is not ours: opens a
-- kernel, asks for a type, goes to a definition, edits, checks. Writes what came of it to a file.
local server, folder, out = vim.env.KJIT, vim.env.FOLDER, io.open(vim.env.SAID, "w")
local function say(...) out:write(string.format(...) .. "\n") end
local function wait(what, is)
    if not vim.wait(120000, is, 20) then say("nothing came of: %s", what) end
end

vim.cmd("edit " .. folder .. "/scale.k")
local buffer = vim.api.nvim_get_current_buf()
local client = vim.lsp.start_client({ name = "kjit", cmd = { server, "lsp" }, root_dir = folder })
vim.lsp.buf_attach_client(buffer, client)
local function shown(severity) return #vim.diagnostic.get(buffer, { severity = severity }) end
local levels = vim.diagnostic.severity

wait("a remark", function() return shown(levels.HINT) == 1 end)
say("remark: %s", vim.diagnostic.get(buffer)[1].message)

local function ask(method, line, column)
    local place = { textDocument = { uri = vim.uri_from_bufnr(buffer) },
        position = { line = line, character = column } }
    return vim.lsp.buf_request_sync(buffer, method, place, 120000)[client].result
end
say("hover: %s", ask("textDocument/hover", 15, 9).contents.value:gsub("\n", " "))

vim.api.nvim_win_set_cursor(0, { 16, 17 })
vim.lsp.buf.definition()
wait("the definition", function() return vim.api.nvim_buf_get_name(0):match("helper.k$") end)
say("definition: line %d", vim.api.nvim_win_get_cursor(0)[1])
vim.cmd("buffer! " .. buffer)

vim.api.nvim_buf_set_lines(buffer, 15, 16, false, { "        value = twice(y[i])" })
wait("an error", function() return shown(levels.ERROR) == 1 end)
say("error: %s", vim.diagnostic.get(buffer, { severity = levels.ERROR })[1].message)
vim.cmd("undo")
wait("no error", function() return shown(levels.ERROR) == 0 and shown(levels.HINT) == 1 end)

local list = { textDocument = { uri = vim.uri_from_bufnr(buffer) }, context = { diagnostics = {} },
    range = { start = { line = 0, character = 0 }, ["end"] = { line = 0, character = 0 } } }
local action = vim.lsp.buf_request_sync(buffer, "textDocument/codeAction", list, 120000)[client]
vim.lsp.buf.execute_command(action.result[1].command)
wait("a finding", function() return shown(levels.ERROR) == 1 end)
local found = vim.diagnostic.get(buffer, { severity = levels.ERROR })[1]
say("finding: %s", found.message:match("^[^\n]*"))
vim.lsp.stop_client(client)
wait("its end", function() return vim.lsp.client_is_stopped(client) end)
say("ended")
out:close()
vim.cmd("quitall!")
