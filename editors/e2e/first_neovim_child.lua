-- The README's lines, with the places of this run.
vim.env.PATH = os.getenv('E2E_BIN') .. ':' .. vim.env.PATH
vim.opt.runtimepath:append(os.getenv('E2E_PLUGIN'))
vim.o.termguicolors = vim.env.E2E_RECORD ~= nil
vim.lsp.enable('tandem')
vim.lsp.inline_completion.enable(true)
vim.keymap.set({ 'i', 'n' }, '<Tab>', require('tandem').tab, { expr = true })
