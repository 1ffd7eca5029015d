-- Real Kate. It applies no edits of a server, so what a model wrote is accepted by the edit of an action.
package.path = vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2)) .. '/?.lua;' .. package.path
local e2e = require('terminal')
local client = require('client')
local here = vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2))
local t

local function on_display(command)
  local env = { DISPLAY = ':' .. vim.trim(e2e.read(e2e.out .. '/display')), DBUS_SESSION_BUS_ADDRESS = vim.trim(e2e.read(e2e.out .. '/bus')) }
  return vim.system(command, { env = env }):wait(10000).stdout or ''
end

local function keys(...)
  for _, key in ipairs({ ... }) do
    on_display({ 'xdotool', 'key', '--clearmodifiers', key })
    vim.wait(200)
  end
end

local function write(text)
  on_display({ 'xdotool', 'type', text })
  vim.wait(300)
  keys('Escape') -- completions
end

---The text in the window that has the file.
local function text()
  return t:screen():match('\ntext: [^\n]*\n(// Copyright.-\n)[%a ]+: ') or ''
end

client.drive({
  limits = { accepts = true, creates = true },
  start = function()
    local config = os.getenv('XDG_CONFIG_HOME')
    vim.fn.mkdir(config .. '/kate/lspclient', 'p')
    vim.fn.writefile(vim.split(e2e.page('rootIndicationFileNames'), '\n'), config .. '/kate/lspclient/settings.json')
    vim.fn.writefile({ '[Kate Plugins]', 'lspclientplugin=true', '[lspclient]', 'AllowedServerCommandLines=' .. e2e.out .. '/bin/tandem serve' }, config .. '/katerc') -- as its question is answered
    t = e2e.open({ here .. '/window.sh', 'kate', '--new', client.file })
    t.screen = function()
      return on_display({ '/usr/bin/python3', here .. '/accessible.py' })
    end
    return t
  end,
  ready = function()
    on_display({ 'xdotool', 'search', '--name', 'semver.go', 'windowfocus' })
  end,
  go_to = function(words)
    keys('Escape')
    local now = text()
    local at, stop = now:find(words, 1, true)
    if at then
      local line = now:sub(1, stop):match('[^\n]*$')
      keys('ctrl+g')
      on_display({ 'xdotool', 'type', tostring(select(2, now:sub(1, at):gsub('\n', '')) + 1) })
      keys('Return', 'Home')
      on_display({ 'xdotool', 'key', '--repeat', tostring(#line:gsub('^%s*', '') - 1), 'Right' })
    end
  end,
  above = function(line)
    keys('Home', 'Return', 'Up')
    write(line)
  end,
  hover = function()
    keys('alt+l', 'y')
  end,
  shut = function()
    keys('Escape')
  end,
  choose = function(title)
    keys('alt+l', 'c')
    local at
    vim.wait(5000, function()
      local n = 0
      for entry in t:screen():gmatch('menu item: %[[%w.]*%] ([^\n]*)') do
        n = n + 1
        at = at or vim.startswith(entry, title) and n
      end
      return at
    end, 20)
    for _ = 1, at or 0 do
      keys('Down')
    end
    keys(at and 'Return' or 'Escape')
    return at ~= nil
  end,
  problem = function()
    keys('alt+l', 'd')
  end,
  messages = function()
    local x, y = on_display({ '/usr/bin/python3', here .. '/accessible.py', 'Output' }):match('(%d+) (%d+)')
    on_display({ 'xdotool', 'mousemove', x, y, 'click', '1' })
  end,
  save = function()
    keys('ctrl+l')
  end,
  undo = function()
    keys('ctrl+z', 'ctrl+l')
  end,
  quit = function()
    keys('ctrl+q')
  end,
})
