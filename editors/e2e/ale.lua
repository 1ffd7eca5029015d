-- Actions and hover in real Vim with ALE, by the lines of docs/editors.md: it applies no edits of a server,
-- so what a model wrote is accepted by the edit of an action.
package.path = vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2)) .. '/?.lua;' .. package.path
local e2e = require('terminal')
local check, wait, on_disk = e2e.check, e2e.wait, e2e.on_disk

local file = 'semver/semver.go'
local t

---Chooses an action at the cursor by its title, as soon as it is offered.
local function choose(title)
  local number
  wait('an action ' .. title, function()
    t:send(':ALECodeAction\r')
    return vim.wait(2000, function()
      number = t:screen():match('(%d+)[:)] [^\n]*' .. title)
      return number
    end, 20) or t:send('\r')
  end)
  t:send(number .. '\r')
end

local scenarios = {
  { "start: the page's lines", function()
    local ale = os.getenv('E2E_CACHE') .. '/ale/usr/share/vim-ale'
    local lines = 'set nocompatible hidden noswapfile nomore shortmess+=I\nset rtp^=' .. ale .. '\nfiletype plugin on\n' .. e2e.page('ale#linter#Define')
    vim.fn.writefile(vim.split(lines, '\n'), e2e.out .. '/vimrc')
    t = e2e.open({ 'vim', '-u', e2e.out .. '/vimrc', file })
    wait('the server to be initialized', function()
      return e2e.initialized() == 1
    end)
    t:shows('Package semver')
  end },

  { 'hover over a symbol', function()
    t:send(':call search("func compareVersion") | normal w\r')
    wait('the hover, as soon as the index knows the name', function()
      t:send(':ALEHover\r')
      return vim.wait(1500, function()
        return t:screen():find('Used in ', 1, true)
      end, 20)
    end)
    t:shot('hover-symbol')
    t:send(':silent! pclose\r')
  end },

  { 'code action: document, accepted by an action', function()
    local before = on_disk(file)
    t:send(':call search("func compareVersion", "bcw") | normal w\r')
    choose('Document with tandem')
    choose('Accept')
    t:shows('// compareVersion orders versions, and equal ones by their text.')
    t:shot('accepted')
    t:send(':w\r')
    wait('the change on disk, and nothing else', function()
      local at = assert(before:find('func compareVersion(', 1, true))
      return on_disk(file) == before:sub(1, at - 1) .. '// compareVersion orders versions, and equal ones by their text.\n' .. before:sub(at)
    end)
  end },

  { 'quit', function()
    t:send(':qa!\r')
    check('Vim ends well', t:ended() == 0)
    wait('no server to be left', function()
      return not e2e.server_pid()
    end)
  end, always = true },
}

e2e.scenarios(scenarios, function()
  t:shot('failure')
  io.stdout:write(t:screen() .. '\n')
  t:kill()
end)
os.exit(0)
