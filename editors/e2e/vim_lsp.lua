-- Real Vim with vim-lsp, from the folder E2E_PLUGINS.
package.path = vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2)) .. '/?.lua;' .. package.path
require('vim_client').drive({
  folder = os.getenv('E2E_PLUGINS') .. '/vim-lsp',
  page = 'lsp#register_server',
  hover = 'LspHover',
  shut = 'call cursor(1, 1) | silent! pclose',
  problem = 'LspNextDiagnostic',
  choose = function(t, run, title) -- from a list that typing makes shorter
    run('LspCodeAction')
    local offered = vim.wait(2500, function()
      return t:screen():find('[tandem] ' .. title, 1, true)
    end, 20)
    t:send(offered and title or '\27')
    local first = offered and vim.wait(2500, function()
      return vim.startswith(t:screen():match('%[tandem%] ([^\n]*)') or '', title)
    end, 20)
    t:send(first and '\r' or '\27')
    return offered
  end,
})
