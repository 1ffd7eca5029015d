-- Drives Vim with a plugin that speaks LSP.
local e2e = require('terminal')
local client = require('client')
local M = {}

---@class e2e.VimPlugin
---@field folder string
---@field lines? string[] before the page's
---@field page string what the page's lines have
---@field hover string commands
---@field shut string
---@field actions string
---@field asks? string what its list of actions has
---@field problem? string
---@field limits? table<string, true>

---@param plugin e2e.VimPlugin
function M.drive(plugin)
  local t
  local function run(command)
    t:send('\27:' .. command .. '\r')
  end

  client.drive({
    limits = plugin.limits or {},
    start = function()
      local lines = { 'set nocompatible hidden noswapfile nomore autoread shortmess+=IA', 'set rtp^=' .. plugin.folder, 'filetype plugin on' }
      vim.list_extend(lines, plugin.lines or {})
      vim.list_extend(lines, vim.split(e2e.page(plugin.page), '\n'))
      vim.fn.writefile(lines, e2e.out .. '/vimrc')
      t = e2e.open({ 'vim', '-u', e2e.out .. '/vimrc', client.file })
      return t
    end,
    go_to = function(words)
      run('silent! drop ' .. e2e.workspace .. '/' .. client.file)
      run(([[call search('\V%s', 'cwe')]]):format(words)) -- the only place
    end,
    above = function(line)
      t:send('O' .. line .. '\27')
    end,
    hover = function()
      run(plugin.hover)
    end,
    shut = function()
      run(plugin.shut)
    end,
    problem = plugin.problem and function()
      run(plugin.problem)
    end,
    choose = plugin.choose and function(title)
      return plugin.choose(t, run, title)
    end or function(title) -- from a list, by the number
      run('redraw!')
      e2e.wait('the list before to be gone', function()
        return not t:screen():find(plugin.asks, 1, true)
      end)
      run(plugin.actions)
      if not vim.wait(2000, function()
        return t:screen():find(plugin.asks, 1, true)
      end, 20) then
        return false
      end
      local number = t:screen():match('(%d+)[:).] [^\n]*' .. vim.pesc(title))
      if number then -- one list reads no more than a key at a time
        t:send(number)
        e2e.wait('the number', function()
          return t:screen():find('%): ?' .. number .. '%f[%D]')
        end)
      end
      t:send('\r')
      return number ~= nil
    end,
    save = function()
      run('silent! wa')
    end,
    messages = function()
      run('messages')
    end,
    undo = function()
      run('undo | silent wa')
    end,
    quit = function()
      run('qa!')
    end,
  })
end

return M
