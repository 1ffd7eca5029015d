-- Real Vim with yegappan/lsp, from the folder E2E_PLUGINS.
package.path = vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2)) .. '/?.lua;' .. package.path
require('vim_client').drive({
  folder = os.getenv('E2E_PLUGINS') .. '/lsp',
  page = 'LspAddServer',
  hover = 'LspHover',
  shut = 'call popup_clear() | call cursor(1, 1) | LspHover', -- it repeats what it was told last about a place
  actions = 'LspCodeAction',
  asks = 'Type number and <Enter>',
  problem = 'LspDiag current',
})
