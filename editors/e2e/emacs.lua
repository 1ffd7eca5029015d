-- Actions and hover in real Emacs by the line of docs/editors.md: eglot has standard LSP only, and shows no ghost text.
package.path = vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2)) .. '/?.lua;' .. package.path
local e2e = require('terminal')
local check, wait, on_disk = e2e.check, e2e.wait, e2e.on_disk

local file = 'semver/semver.go'
local t

---Runs a command by its name.
local function run(command)
  t:send('\27x' .. command .. '\r')
end

---Puts the cursor behind a text.
local function go_to(words)
  t:send('\27<')
  run('search-forward')
  t:shows('Search:')
  t:send(words .. '\r')
  wait('the question to close', function()
    return not t:screen():find('Search:', 1, true)
  end)
end

---Shows the documentation at the cursor until it has a text: a step to the side and back asks anew,
---since what was asked first may have come before the index.
local function documentation(words)
  t:send('\8.') -- C-h ., which shows what is asked for whenever the cursor rests
  local step = '\2' -- C-b, then C-f
  wait('documentation with ' .. words, function()
    t:send(step)
    step = step == '\2' and '\6' or '\2'
    return vim.wait(3000, function()
      return t:screen():find(words, 1, true)
    end, 20)
  end)
end

local scenarios = {
  { "start: the page's line, and M-x eglot", function()
    local more = "\n(require 'go-mode)\n(setq make-backup-files nil create-lockfiles nil inhibit-startup-screen t)\n"
    vim.fn.writefile(vim.split(e2e.page('eglot-server-programs') .. more, '\n'), e2e.out .. '/init.el')
    t = e2e.open({ os.getenv('E2E_CACHE') .. '/emacs/bin/emacs', '-nw', '-Q', '-l', e2e.out .. '/init.el', file })
    t:shows('Package semver')
    run('eglot')
    wait('the server to be initialized', function()
      return e2e.initialized() == 1
    end)
    t:shows('Connected! Server')
  end },

  { 'hover over a symbol', function()
    go_to('func compareVersion')
    documentation('Used in ')
    t:shot('hover-symbol')
    t:send('\24' .. '1') -- C-x 1
  end },

  { 'code action: document, and undone', function()
    local before = on_disk(file)
    go_to('func compareVersion')
    run('eglot-code-actions')
    t:shows('Pick an action')
    t:shot('actions')
    t:send('Document with tandem\r')
    t:shows('// compareVersion orders versions, and equal ones by their text.')
    t:send('\24\19') -- C-x C-s
    wait('the change on disk, and nothing else', function()
      local at = assert(before:find('func compareVersion(', 1, true))
      return on_disk(file) == before:sub(1, at - 1) .. '// compareVersion orders versions, and equal ones by their text.\n' .. before:sub(at)
    end)
    t:send('\31\24\19') -- C-_ C-x C-s
    wait('the file as it was', function()
      return on_disk(file) == before
    end)
  end },

  { 'hover over a question', function()
    go_to('slices.SortFunc(list, compareVersion)')
    t:send('\5\r// ?? where is compareVersion called') -- C-e
    documentation('semver/semver.go:')
    t:shot('hover-question')
    t:send('\24' .. '1')
  end },

  { 'quit', function()
    t:send('\24\3') -- C-x C-c
    t:shows('Save file')
    t:send('n')
    t:shows('exit anyway')
    t:send('yes\r')
    check('Emacs ends well', t:ended() == 0)
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
