-- Real Vim with coc.nvim, from the folder E2E_PLUGINS.
package.path = vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2)) .. '/?.lua;' .. package.path
local e2e = require('terminal')
local home = e2e.out .. '/coc'
vim.fn.mkdir(home, 'p')
vim.fn.writefile(vim.split(e2e.page('"languageserver"'), '\n'), home .. '/coc-settings.json')
require('vim_client').drive({
  folder = os.getenv('E2E_PLUGINS') .. '/coc.nvim',
  lines = { ("let g:coc_config_home = '%s' | let g:coc_data_home = '%s/data'"):format(home, home) },
  page = 'coc-codeaction-cursor',
  hover = "call CocActionAsync('doHover')",
  shut = 'call coc#float#close_all()',
  problem = "call CocActionAsync('diagnosticInfo')",
  choose = function(t, run, title)
    e2e.wait('the list before to be gone', function()
      return not t:screen():find('Choose action', 1, true)
    end)
    run("call CocActionAsync('codeAction', 'cursor')")
    local number
    local asks = vim.wait(2500, function()
      return t:screen():find('Choose action', 1, true)
    end, 20)
    if asks then
      number = t:screen():match('(%d+)%. [^\n]*' .. vim.pesc(title))
    end
    vim.wait(500) -- it reads keys some time after it has drawn the list
    t:send(number or '\27')
    return number ~= nil
  end,
})
