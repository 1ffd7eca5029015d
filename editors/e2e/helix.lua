-- Actions and hover in real Helix, a client with standard LSP only: it has no
-- ghost text, shows no proposals, and gets only what it supports.
package.path = vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2)) .. '/?.lua;' .. package.path
local e2e = require('terminal')
local check, wait, on_disk = e2e.check, e2e.wait, e2e.on_disk

local file = 'semver/semver.go'
local root = os.getenv('E2E_CACHE') .. '/helix/root'
local t


---Puts the cursor on the first line that contains a text.
local function go_to(words)
  t:send((':%d\r'):format(e2e.line_of(on_disk(file), words)))
end

---The number of steps down to an entry of the menu on the screen.
local function place_in_menu(title)
  local n = 0
  for line in vim.gsplit(t:screen(), '\n') do
    if line:find(' with tandem', 1, true) then
      n = n + 1
    end
    if line:find(title, 1, true) then
      return n
    end
  end
end

local scenarios = {
  { 'start: Helix serves its buffers by tandem', function()
    local config = os.getenv('XDG_CONFIG_HOME') .. '/helix'
    vim.fn.mkdir(config, 'p')
    vim.fn.writefile(vim.split(e2e.page('[language-server.tandem]'), '\n'), config .. '/languages.toml')
    t = e2e.open({ root .. '/usr/bin/hx', file }, { HELIX_RUNTIME = root .. '/usr/lib/hx/runtime' })
    wait('the server to be initialized', function()
      return e2e.initialized() == 1
    end)
    t:shows('Package semver')
  end },

  { 'hover over a symbol', function()
    go_to('func compareVersion(')
    t:send('wwb') -- on the name
    wait('the hover, as soon as the index knows the name', function()
      t:send(' k')
      return vim.wait(1000, function()
        return t:screen():find('Used in ', 1, true)
      end, 20)
    end)
    t:shot('hover-symbol')
    t:send('\27')
    wait('the hover to close', function()
      return not t:screen():find('Used in ', 1, true)
    end)
  end },

  { 'a cursor in a comment is no selection: nothing is offered that edits', function()
    go_to('// Build returns the build suffix')
    t:send(' a')
    t:shows('Document with tandem')
    check('no edit by the words of the comment, and none of one character', not t:screen():find('Edit with tandem', 1, true) and not t:screen():find('Simplify with tandem', 1, true))
    t:shot('actions-in-a-comment')
    t:send('\27')
    wait('the menu to close', function()
      return not t:screen():find('Document with tandem', 1, true)
    end)
  end },

  { 'code action: document, applied when it is there, and undone at once', function()
    local before = on_disk(file)
    go_to('func compareVersion(')
    t:send(' a')
    t:shows('Document with tandem')
    t:shot('actions')
    t:send(('\14'):rep(place_in_menu('Document with tandem') - 1) .. '\r') -- Ctrl-n, so often: the first is selected already
    wait('the change on the screen', function()
      return t:screen():find('%[%+%]') and not t:screen():find('Document with tandem', 1, true)
    end)
    t:send(':w\r')
    wait('the change on disk, around the code as it was', function()
      local now = on_disk(file)
      return now ~= before and #now > #before and now:find('func compareVersion(a, b string) int {\n\tcmp := Compare(a, b)', 1, true)
    end)
    t:send('u:w!\r')
    wait('the file as it was', function()
      return on_disk(file) == before
    end)
  end },

  { 'quit', function()
    t:send(':q!\r')
    check('Helix ends well', t:ended() == 0)
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
