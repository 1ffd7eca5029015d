-- The scenarios of deep tasks in Neovim.
local e2e = require('terminal')
local check, wait, on_disk = e2e.check, e2e.wait, e2e.on_disk

---@param file string the file that is open
---@param t fun(): table the Neovim of now
---@param plain fun(text: string, old: string, new: string): string a text with one part of it replaced
---@param quit fun()
---@param open fun(client: string)
return function(file, t, plain, quit, open)
  return {
    { 'task: a step is drawn when it is done, away from the cursor, and accepted while the next one runs', function()
      local before, other = on_disk(file), on_disk('codereview.cfg')
      local head = e2e.line_of(before, 'func compareVersion(')
      t():lua([[
        local tasks, ms, known = require('tandem.tasks'), vim.uv.hrtime, nil
        local follow = tasks.follow
        tasks.follow = function(task)
          if not known and task.steps[1] and task.steps[1].state == 'done' then known = ms() end
          return follow(task)
        end
        local namespace = vim.api.nvim_create_namespace('tandem.proposal')
        vim.uv.new_timer():start(0, 5, vim.schedule_wrap(function()
          if known and not vim.g.drawn_after and #vim.api.nvim_buf_get_extmarks(0, namespace, 0, -1, {}) > 0 then
            vim.g.drawn_after = (ms() - known) / 1e6
          end
        end))]])
      e2e.hold()
      t():input(('gg:%d<CR>zz'):format(head + 30))
      local view = t():lua('return { vim.fn.winline(), vim.fn.line(".") }')
      t():input(':Tandem escalate order in semver/semver.go, its tracker in codereview.cfg<CR>')
      wait('the step to be drawn', function()
        return #t():drawn('tandem.proposal') > 0
      end)
      local mode = t():lua('return { vim.fn.winline(), vim.fn.line(".") }')
      check('the view has not moved', vim.deep_equal(mode, view))
      wait('the time', function() return t():lua('return vim.g.drawn_after ~= nil') end)
      io.stdout:write(('      drawn %.0f ms after the step was done\n'):format(t():lua('return vim.g.drawn_after')))
      t():shot('task-drawn')
      t():draws('tandem.proposal', {
        head .. ' above: // compareVersion orders versions, and equal ones by their text.',
        head .. ' above: :Tandem accept · reject · diff',
        head .. ' above: tandem: order in semver/semver.go, its tracker in codereview.cfg',
        head + 1 .. ' line: DiffDelete',
        head + 2 .. ' line: DiffDelete',
        head + 3 .. ' line: DiffDelete',
        head + 4 .. ' above: if order != 0 {',
        head + 4 .. ' above: order := Compare(a, b)',
        head + 4 .. ' above: return order',
      })
      check('nothing is in the buffer, nor on the disk', t():text() == before and on_disk(file) == before and not t():lua('return vim.bo.modified'))
      t():input(':Tandem accept<CR>')
      wait('the step in the text, while the next one runs', function()
        return t():text():find('order := Compare(a, b)', 1, true)
      end)
      check('the other file is as it was', on_disk('codereview.cfg') == other)
      wait('nothing to be drawn', function()
        return #t():drawn('tandem.proposal') == 0
      end)
      e2e.go_on()
      wait('the rest of the task', function()
        return t():lua("local p = require('tandem.proposal').find() return p ~= nil and not p.running")
      end)
      t():input(':Tandem reject<CR>')
      wait('no proposal', function()
        return t():lua("return require('tandem.proposal').find() == nil")
      end)
      t():lua([[vim.api.nvim_buf_set_lines(0, 0, -1, false, vim.split((...):gsub('\n$', ''), '\n'))]], before)
      t():input(':silent write<CR>')
    end },

    { 'task: nothing is drawn at the cursor until it leaves', function()
      local before = on_disk(file)
      local head = e2e.line_of(before, 'func compareVersion(')
      e2e.hold()
      t():input((':%d<CR>zz'):format(head - 3))
      t():input(':Tandem escalate order in semver/semver.go, its tracker in codereview.cfg<CR>')
      wait('the change below to be drawn', function()
        return #t():drawn('tandem.proposal') > 0
      end)
      t():draws('tandem.proposal', { -- the one of the head is within three lines
        head + 1 .. ' above: :Tandem accept · reject · diff',
        head + 1 .. ' above: tandem: order in semver/semver.go, its tracker in codereview.cfg',
        head + 1 .. ' line: DiffDelete',
        head + 2 .. ' line: DiffDelete',
        head + 3 .. ' line: DiffDelete',
        head + 4 .. ' above: if order != 0 {',
        head + 4 .. ' above: order := Compare(a, b)',
        head + 4 .. ' above: return order',
      })
      t():input('gg')
      wait('the other change', function()
        return vim.iter(t():drawn('tandem.proposal')):any(function(d) return d:find('orders versions', 1, true) ~= nil end)
      end)
      t():input((':%d<CR>'):format(head))
      e2e.go_on()
      wait('the whole task', function()
        return t():lua("local p = require('tandem.proposal').find() return p ~= nil and not p.running")
      end)
      check('what was drawn stays', vim.iter(t():drawn('tandem.proposal')):any(function(d) return d:find('orders versions', 1, true) ~= nil end))
      t():input(':Tandem reject<CR>')
      wait('no proposal', function()
        return t():lua("return require('tandem.proposal').find() == nil")
      end)
      check('the text is as it was', t():text() == before)
    end },

    { 'task: escalate, read the plan, run it, accept one file', function()
      local before = on_disk(file)
      t():input(':Tandem escalate rename cmp to order, and edit codereview.cfg<CR>')
      t():shows('has 3 steps')
      t():input(':Tandem tasks<CR>')
      t():shows('2. say what it does')
      t():input('ggp')
      t():shows('2. [FAST] say what it does')
      t():input(':quit<CR>')
      t():input('ggr')
      t():shows('done · 3 of 3 steps')
      t():shot('tasks')
      t():input('/^ *codereview<CR>a')
      wait('the change of one file', function()
        return t():lua("return vim.fn.bufexists('codereview.cfg') == 1 and vim.fn.getbufline('codereview.cfg', 1)[1] or ''") == '# The tracker of the Go project.'
      end)
      t():input(':silent wall<CR>')
      wait('the file on the disk', function()
        return vim.startswith(on_disk('codereview.cfg'), '# The tracker of the Go project.\n')
      end)
      check('the other file is as it was', on_disk(file) == before)
      quit()
    end },

    { 'task: start again, see the changes of the task, accept the rest', function()
      open('tandem')
      t():input(':Tandem tasks<CR>')
      t():shows('done · 3 of 3 steps')
      t():input('gg<CR>')
      t():shows('+// compareVersion orders versions')
      t():input(':quit<CR>')
      t():input('gga')
      t():shows('accepted')
      t():input(':close<CR>')
      wait('the result in the text', function()
        return t():text():find('order := Compare(a, b)', 1, true)
      end)
      t():input(':silent wall<CR>')
      wait('the result on the disk', function()
        return on_disk(file):find('// compareVersion orders versions, and equal ones by their text.\nfunc compareVersion(a, b string) int {\n\torder := Compare(a, b)\n', 1, true)
      end)
    end },

    { 'task: change the plan, run what is left of it', function()
      local before = on_disk('codereview.cfg')
      t():input(':Tandem escalate say more in codereview.cfg<CR>')
      t():shows('has 3 steps')
      t():input(':Tandem tasks<CR>')
      t():shows('3. say since when')
      t():input('ggp')
      t():shows('3. [FAST] say since when')
      t():input('ggdGi1. [FAST] name the home of the project | write: codereview.cfg | done: its path is there<Esc>:write<CR>')
      wait('the plan to be replaced', function()
        return not t():lua('return vim.bo.modified')
      end)
      t():input(':quit<CR>')
      t():shows('1. name the home of the project')
      t():input('ggr')
      t():shows('done · 1 of 1 steps')
      t():input('gga')
      wait('the result of the changed plan on the disk', function()
        t():lua('vim.cmd("silent wall")') -- until what was accepted is in the buffer
        return on_disk('codereview.cfg') == plain(before, 'issuerepo: golang/go', '# The home of the project: golang.org/x/mod\nissuerepo: golang/go')
      end)
      t():input(':close<CR>')
    end },

    { 'task: steer it while it runs', function()
      local before = on_disk('codereview.cfg')
      t():input(':Tandem escalate number codereview.cfg<CR>')
      t():input(':Tandem tasks<CR>')
      t():shows('1. number slowly')
      t():shows('running')
      t():input('ggs')
      t():shows('Steer:')
      t():input('count to two only, please<CR>')
      t():shows('done · 1 of 1 steps')
      t():input('gga')
      wait('what was steered on the disk', function()
        t():lua('vim.cmd("silent wall")') -- until what was accepted is in the buffer
        return on_disk('codereview.cfg') == plain(before, 'issuerepo: golang/go', '# one\n# two\nissuerepo: golang/go')
      end)
      t():input(':close<CR>')
    end },

    { 'task: what is typed while it runs is named before it is accepted', function()
      local before = t():text()
      for n = 1, tonumber(os.getenv('E2E_CONFLICTS') or 1) do
        e2e.hold()
        t():input((':Tandem escalate name the reader of builds, %d<CR>'):format(n))
        t():input(':Tandem tasks<CR>')
        t():shows('1. call it readBuild')
        t():input(':close<CR>')
        t():input(('Gzto<CR>func typed%d(v string) (string, string, bool) { return parseBuild(v) }<Esc>'):format(n))
        local typed = t():text()
        e2e.go_on()
        t():input(':Tandem tasks<CR>')
        wait('the result of the task', function()
          return t():lua('return vim.fn.getline(1)'):find('1 of 1 steps', 1, true)
        end)
        t():input('gga')
        t():shows('parseBuild is') -- the screen breaks what is around it
        t():shows('Apply anyway')
        t():input('1<CR>')
        t():input('ggx')
        t():shows('rejected')
        t():input(':close<CR>')
        check('what was typed is there, and nothing else', t():text() == typed)
        t():lua([[vim.api.nvim_buf_set_lines(0, 0, -1, false, vim.split((...):gsub('\n$', ''), '\n'))]], before)
      end
      t():input(':silent write<CR>')
    end },

    { 'task: cancel a task, resume it, reject its result', function()
      local before = on_disk('codereview.cfg')
      t():input(':Tandem escalate count in codereview.cfg<CR>')
      t():input(':Tandem tasks<CR>')
      t():shows('1. count slowly')
      t():input('ggc')
      t():shows('cancelled')
      t():input('ggr')
      t():shows('done · 1 of 1 steps')
      t():input('ggx')
      t():shows('rejected')
      check('the file is as it was', on_disk('codereview.cfg') == before)
      t():input(':close<CR>')
    end },
  }
end
