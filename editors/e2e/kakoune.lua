-- Real Kakoune with kakoune-lsp. Its cursor is a selection of one character, so a line is selected where an edit of it is asked for.
package.path = vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2)) .. '/?.lua;' .. package.path
local e2e = require('terminal')
local client = require('client')
local cache = os.getenv('E2E_CACHE')
local t

---Leaves every mode. A key right after it would count as typed with Alt.
local function normal()
  t:send('\27')
  vim.wait(100)
end

local function run(command)
  normal()
  t:send(':' .. command .. '\r')
end

client.drive({
  limits = {},
  start = function()
    local config = os.getenv('XDG_CONFIG_HOME') .. '/kak'
    vim.fn.mkdir(config, 'p')
    vim.fn.writefile(vim.split(e2e.page('eval %sh{kak-lsp}'), '\n'), config .. '/kakrc')
    t = e2e.open({ cache .. '/kakoune/root/usr/bin/kak', client.file }, { PATH = cache .. '/kak-lsp/bin:' .. os.getenv('PATH') })
    return t
  end,
  go_to = function(words)
    run('buffer ' .. client.file)
    t:send('gg/\\Q' .. words .. '\r;')
  end,
  above = function(line)
    t:send('O' .. line)
    normal()
  end,
  hover = function()
    run('lsp-hover')
  end,
  shut = normal,
  problem = function()
    run('lsp-diagnostics')
  end,
  choose = function(title)
    if title == 'Edit with tandem' then
      t:send('x')
    end
    run('lsp-code-actions')
    local offered = vim.wait(2500, function()
      return t:screen():find(title, 1, true)
    end, 20)
    t:send(offered and title or '')
    vim.wait(500) -- what is typed makes the list shorter
    t:send(offered and '\t\r' or '')
    return offered
  end,
  save = function()
    run('write-all')
  end,
  undo = function()
    t:send('u')
    run('write')
  end,
  quit = function()
    run('kill!')
  end,
})
