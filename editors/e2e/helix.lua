-- Real Helix, a client with standard LSP only: it has no ghost text, shows no proposals, and gets only what it supports.
-- Its cursor is a selection of one character, so a line is selected where an edit of it is asked for.
package.path = vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2)) .. '/?.lua;' .. package.path
local e2e = require('terminal')
local client = require('client')
local root = os.getenv('E2E_CACHE') .. '/helix/root'
local t

---Leaves every mode and menu. A key right after it would count as typed with Alt.
local function normal()
  t:send('\27')
  vim.wait(250)
  vim.wait(5000, function()
    return t:screen():find(' NOR ', 1, true)
  end, 20)
end

local titles = { 'Apply anyway', 'Show:', 'Reject:', 'Fix with tandem', 'Edit with tandem', 'Escalate to the deep model', 'Simplify with tandem', 'Document with tandem',
  'Write a test with tandem', 'Explain with tandem', 'Review this file with tandem' }

---The number of steps down to an entry of the menu on the screen, whose first is selected.
local function place_in_menu(title)
  local n = -1
  for line in vim.gsplit(t:screen(), '\n') do
    for _, entry in ipairs(titles) do
      if line:find(' ' .. entry, 1, true) then
        n = n + 1
        if vim.startswith(entry, title) then
          return n
        end
      end
    end
  end
end

client.drive({
  limits = {},
  start = function()
    local config = os.getenv('XDG_CONFIG_HOME') .. '/helix'
    vim.fn.mkdir(config, 'p')
    vim.fn.writefile(vim.split(e2e.page('[language-server.tandem]'), '\n'), config .. '/languages.toml')
    t = e2e.open({ root .. '/usr/bin/hx', client.file }, { HELIX_RUNTIME = root .. '/usr/lib/hx/runtime' })
    return t
  end,
  go_to = function(words)
    normal()
    t:send((':open %s\r'):format(client.file))
    t:send('gg/' .. vim.pesc(words):gsub('%%', '\\') .. '\r;')
  end,
  above = function(line)
    t:send('O' .. line)
    normal()
  end,
  hover = function()
    t:send(' k')
  end,
  shut = normal,
  choose = function(title)
    t:send(title == 'Edit with tandem' and 'x a' or ' a')
    local at
    vim.wait(2500, function()
      at = place_in_menu(title)
      return at
    end, 20)
    t:send(at and ('\14'):rep(at) .. '\r' or '') -- Ctrl-n
    return at ~= nil
  end,
  save = function()
    normal()
    t:send(':write-all\r')
  end,
  undo = function()
    normal()
    t:send('u:w!\r')
  end,
  quit = function()
    normal()
    t:send(':quit-all!\r')
  end,
  more = { { 'a cursor in a comment is no selection: nothing is offered that edits', function()
    t:send(':open ' .. client.file .. '\rgg/Build returns the build suffix\r;')
    t:send(' a')
    t:shows('Document with tandem')
    e2e.check('no edit by the words of the comment, and none of one character', not t:screen():find('Edit with tandem', 1, true) and not t:screen():find('Simplify with tandem', 1, true))
    t:shot('actions-in-a-comment')
    normal()
  end } },
})
