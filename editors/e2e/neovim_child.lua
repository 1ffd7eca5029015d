-- The configuration of the Neovim under test: the one that the help recommends.
vim.opt.runtimepath:append(os.getenv('E2E_PLUGIN'))
require('tandem').setup({
  path = os.getenv('E2E_BIN') .. '/tandem',
  config = os.getenv('E2E_OUT') .. '/config.toml',
  log = os.getenv('E2E_OUT') .. '/server.log',
})
vim.lsp.enable(os.getenv('E2E_CLIENT') or 'tandem')
vim.lsp.inline_completion.enable()
vim.keymap.set({ 'i', 'n' }, '<Tab>', require('tandem').tab, { expr = true })
vim.o.statusline = "%f %m %= %{v:lua.require'tandem'.statusline()}"
vim.o.more, vim.o.swapfile = false, false
vim.o.number, vim.o.termguicolors, vim.o.tabstop = true, true, 4
