-- Drives Emacs with a package that speaks LSP.
local e2e = require('terminal')
local client = require('client')
local M = {}

---@class e2e.EmacsPackage
---@field lines string[] of the init file
---@field page string what the page's lines have
---@field ready? string a command
---@field hover fun(t: e2e.Terminal)
---@field actions string a command, which asks for one
---@field asks string what its question has
---@field confirms? string what it asks before it makes a file

---@param package e2e.EmacsPackage
function M.drive(package)
  local t
  local function run(command)
    t:send('\27x' .. command .. '\r')
  end
  local function lisp(code)
    t:send('\27:' .. code .. '\r')
  end

  client.drive({
    limits = {},
    start = function()
      local lines = vim.list_extend({ '(setq make-backup-files nil create-lockfiles nil auto-save-default nil inhibit-startup-screen t native-comp-enable-subr-trampolines nil native-comp-jit-compilation nil)', "(require 'go-mode)" }, package.lines)
      vim.fn.writefile(vim.list_extend(lines, vim.split(e2e.page(package.page), '\n')), e2e.out .. '/init.el')
      t = e2e.open({ os.getenv('E2E_CACHE') .. '/emacs/bin/emacs', '-nw', '-Q', '-l', e2e.out .. '/init.el', client.file })
      return t
    end,
    ready = package.ready and function()
      run(package.ready)
    end,
    go_to = function(words)
      lisp(('(progn (switch-to-buffer "semver.go") (goto-char 1) (search-forward "%s") (backward-char))'):format(words))
    end,
    above = function(line)
      t:send('\1' .. line .. '\r') -- C-a
    end,
    hover = function()
      package.hover(t)
    end,
    shut = function()
      t:send('\24' .. '1') -- C-x 1
    end,
    problem = function()
      run('flymake-show-buffer-diagnostics')
    end,
    choose = function(title)
      run(package.actions)
      local asks = vim.wait(3000, function()
        return t:screen():find(package.asks, 1, true)
      end, 20)
      t:send(asks and title .. '\t\r' or '\7') -- C-g
      local chosen = false
      if asks then
        e2e.wait('the question to be answered', function()
          chosen = not t:screen():find(package.asks, 1, true)
          return chosen or t:screen():find('No match', 1, true)
        end)
      end
      t:send(chosen and '' or '\7')
      return chosen
    end,
    save = function()
      -- As if "changed on disk; save anyway?" were answered: lsp-mode makes a new file after it has opened it.
      lisp('(dolist (b (buffer-list)) (with-current-buffer b (when (and buffer-file-name (buffer-modified-p)) (set-visited-file-modtime) (save-buffer))))')
    end,
    confirm = package.confirms and function()
      t:shows(package.confirms)
      t:send('y')
      e2e.wait('the new file, or its name', function()
        return t:screen():find('func TestMaxOfTwo', 1, true) or t:screen():find('not saved', 1, true)
      end)
    end,
    undo = function()
      t:send('\31\24\19') -- C-_ C-x C-s
    end,
    quit = function()
      lisp('(kill-emacs)')
    end,
  })
end

return M
