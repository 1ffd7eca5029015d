-- Real Vim with ALE: it applies no edits of a server, so what a model wrote is accepted by the edit of an action.
package.path = vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2)) .. '/?.lua;' .. package.path
require('vim_client').drive({
  folder = os.getenv('E2E_CACHE') .. '/ale/usr/share/vim-ale',
  page = 'ale#linter#Define',
  hover = 'ALEHover',
  shut = 'silent! pclose',
  actions = 'ALECodeAction',
  asks = 'Type number and <Enter>',
  problem = 'ALEDetail',
  limits = { accepts = true, creates = true },
})
