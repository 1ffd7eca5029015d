-- Actions and hover in real Emacs with lsp-mode, by the lines of docs/editors.md.
package.path = vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2)) .. '/?.lua;' .. package.path
local e2e = require('terminal')
local wait, on_disk = e2e.wait, e2e.on_disk

local file = 'semver/semver.go'
local t

---Runs a command by its name.
local function run(command)
  t:send('\27x' .. command .. '\r')
end

local scenarios = {
  { "start: the page's lines", function()
    local elpa = os.getenv('E2E_CACHE') .. '/lsp-mode/usr/share/emacs/site-lisp/elpa-src'
    local lines = { '(setq native-comp-enable-subr-trampolines nil native-comp-jit-compilation nil)', -- Emacs is unpacked, not installed
      ('(dolist (d (directory-files "%s" t "^[a-z]")) (add-to-list \'load-path d))'):format(elpa), "(require 'go-mode)", '(load "lsp-mode-autoloads" t)',
      '(setq make-backup-files nil create-lockfiles nil inhibit-startup-screen t lsp-auto-guess-root t lsp-enable-snippet nil)' }
    vim.list_extend(lines, vim.split(e2e.page('lsp-register-client'), '\n'))
    vim.fn.writefile(lines, e2e.out .. '/init.el')
    t = e2e.open({ os.getenv('E2E_CACHE') .. '/emacs/bin/emacs', '-nw', '-Q', '-l', e2e.out .. '/init.el', file })
    wait('the server to be initialized', function()
      return e2e.initialized() == 1
    end)
    t:shows('Package semver')
  end },

  { 'hover over a symbol', function()
    t:send('\27<')
    run('search-forward')
    t:shows('Search:')
    t:send('func compareVersion\r')
    t:send('\2') -- C-b, into the name
    wait('the hover, as soon as the index knows the name', function()
      run('lsp-describe-thing-at-point')
      return vim.wait(2000, function()
        return t:screen():find('Used in ', 1, true)
      end, 20)
    end)
    t:shot('hover-symbol')
    t:send('\24' .. '1') -- C-x 1
  end },

  { 'code action: document, and undone', function()
    local before = on_disk(file)
    run('lsp-execute-code-action')
    t:shows('Select code action')
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

  { 'quit', function()
    t:send('\24\3') -- C-x C-c
    wait('Emacs to end, or to ask about the server', function()
      return vim.fn.jobwait({ t.job }, 200)[1] >= 0 or t:send('yes\r')
    end)
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
