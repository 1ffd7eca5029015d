-- What a user does in any client of standard LSP, one scenario each: hover, the menu of actions, what failed
-- its checks, a new file, an explanation, a review, a slow model. A driver says how its editor is asked.
local e2e = require('terminal')
local check, wait, on_disk = e2e.check, e2e.wait, e2e.on_disk

local M = { file = 'semver/semver.go' }

---How an editor is asked. What it cannot do is said by limits: "accepts" (it applies no edit of a server, so an
---action's own edit is accepted), "creates" (no new file), "menu" (no list of actions at all).
---@class e2e.Client
---@field start fun(): e2e.Terminal by the lines of docs/editors.md
---@field ready? fun() what is asked once the file is shown
---@field go_to fun(words: string) the cursor on the last character of a text
---@field hover fun() shows the hover at the cursor
---@field shut fun() closes what the hover has opened
---@field choose fun(title: string): boolean opens the menu and chooses what begins so; false: it is not offered
---@field above fun(line: string) writes a line above the cursor's
---@field save fun() all files
---@field messages? fun() shows what was said
---@field confirm? fun() answers what the editor asks before it makes a file
---@field undo? fun() undoes a change and saves
---@field problem? fun() shows the problem at the cursor
---@field more? { [1]: string, [2]: fun(t: e2e.Terminal) }[] scenarios of this editor alone
---@field quit fun()
---@field limits table<string, true>

---@param client e2e.Client
function M.drive(client)
  local t
  local limits = client.limits

  local function choose(at, title)
    wait('the action ' .. title, function()
      client.go_to(at)
      return client.choose(title) or vim.wait(500) and false -- what it was asked goes away first
    end)
  end

  ---Hovers at a text until the screen has words: the index may not know the name at first.
  local function hover(at, words)
    wait('the hover with ' .. words, function()
      client.go_to(at)
      client.hover()
      return vim.wait(3000, function()
        return t:screen():find(words, 1, true)
      end, 20) or client.shut()
    end)
  end

  ---What the model wrote is accepted by hand where the editor applies no edits of a server.
  local function accepted(at, title)
    choose(at, title)
    if limits.accepts then
      choose(at, 'Accept')
    end
  end

  local function saved(what, words)
    wait(what, function()
      client.save()
      return vim.wait(1000, function()
        return on_disk(M.file):find(words, 1, true)
      end, 20)
    end)
  end

  local scenarios = {
    { "start: the page's lines", function()
      t = client.start()
      t:shows('Package semver')
      if client.ready then
        client.ready()
      end
      wait('the server to be initialized', function()
        return e2e.initialized() == 1
      end)
    end },

    { 'hover over a symbol', function()
      hover('func compareVersion', 'Used in ')
      t:shot('hover-symbol')
      client.shut()
    end },

    { 'code action: document', function()
      local before = on_disk(M.file)
      accepted('func compareVersion', 'Document with tandem')
      t:shows('// compareVersion orders versions, and equal ones by their text.')
      t:shot('document')
      saved('the change on disk', '// compareVersion orders')
      local at = assert(before:find('func compareVersion(', 1, true))
      check('nothing else is changed', on_disk(M.file) == before:sub(1, at - 1) .. '// compareVersion orders versions, and equal ones by their text.\n' .. before:sub(at))
      if client.undo then
        client.undo()
        wait('the file as it was', function()
          return on_disk(M.file) == before
        end)
      end
    end, needs = 'menu' },

    { 'code action: explain', function()
      choose('func Max', 'Explain with tandem')
      local answer = 'It returns the later' -- narrow windows break its line
      local shown = vim.wait(3000, function()
        return t:screen():find(answer, 1, true) or t:screen():find('explanation.md', 1, true)
      end, 20)
      if not shown then -- then it is the hover at its line
        hover('func Max', answer)
      end
      t:shot('explain')
      client.shut()
    end, needs = 'menu' },

    { 'code action: an edit that fails its checks, rejected, then applied anyway', function()
      client.go_to('v = Canonical(v)')
      client.above('// call the made up helper')
      for _, way in ipairs({ 'Reject', 'Apply anyway' }) do
        choose('// call the made up helper', 'Edit with tandem')
        choose('// call the made up helper', way)
      end
      client.go_to('func Max')
      saved('the change on disk', '= versionThatNobodyDefined(')
      t:shot('failed')
    end, needs = 'menu' },

    { 'hover over a question', function()
      client.go_to('func nextIdent(x string)') -- below all lines that a model names
      client.above('// ?? where is compareVersion called')
      hover('// ?? where is', 'is called in') -- narrow windows break its line
      t:shot('hover-question')
      client.shut()
      saved('the question on disk', '// ?? where is compareVersion called')
    end },

    { 'code action: a model of 13 s, while the user types', function()
      e2e.hold()
      client.go_to('slices.SortFunc(list')
      client.above('// take your time')
      choose('// take your time', 'Edit with tandem')
      vim.wait(2000)
      client.go_to('func Max')
      client.above('// typed meanwhile')
      check('what is typed is shown before the model answers', vim.wait(8000, function()
        return t:screen():find('typed meanwhile', 1, true)
      end, 20))
      vim.wait(11000)
      e2e.go_on()
      if limits.accepts then
        choose('// take your time', 'Accept')
      end
      saved('the change on disk', 'sorted(list, compareVersion)')
      check('what was typed is there', on_disk(M.file):find('// typed meanwhile', 1, true))
      t:shot('slow')
    end, needs = 'menu' },

    { 'code action: write a test', function()
      choose('func Max', 'Write a test with tandem')
      local told = limits.creates and 'tandem edit FILE' or 'max_test.go'
      if client.confirm then
        client.confirm()
      end
      local named = vim.wait(5000, function() -- shown, or named in a message
        return t:screen():find(told, 1, true)
      end, 20)
      if not named and client.messages then -- which the editor has drawn over
        client.messages()
      end
      t:shows(told)
      if limits.creates then
        return
      end
      wait('the new file', function()
        client.save()
        return vim.wait(1000, function()
          return on_disk('semver/max_test.go'):find('func TestMaxOfTwo', 1, true)
        end, 20)
      end)
      t:shot('test')
    end, needs = 'menu' },

    { 'code action: review', function()
      local finding = 'sorted := slices' -- the line that the model names
      wait('the finding', function()
        choose(finding, 'Review this file with tandem') -- again where the editor has missed it
        if client.problem then
          client.go_to(finding)
          client.problem()
        end
        return vim.wait(3000, function()
          return t:screen():find('compareVersion has no comment', 1, true)
        end, 20)
      end)
      t:shot('review')
      if client.problem then
        client.shut()
      end
    end, needs = 'menu' },

    { 'quit', function()
      client.quit()
      check('it ends well', t:ended() >= 0)
      wait('no server to be left', function()
        return not e2e.server_pid()
      end)
    end, always = true },
  }

  for i, scenario in ipairs(client.more or {}) do
    table.insert(scenarios, 2 + i, { scenario[1], function()
      scenario[2](t)
    end })
  end
  e2e.scenarios(vim.tbl_filter(function(s)
    return not (s.needs and limits[s.needs])
  end, scenarios), function()
    t:shot('failure')
    io.stdout:write(t:screen() .. '\n')
    t:kill()
  end)
  os.exit(0)
end

return M
