---The deep model's tasks in a window: those of this workspace, which the server keeps on
---disk, with their plan, steps, files and cost.
local say = require('tandem.say')
local M = {}

local namespace = vim.api.nvim_create_namespace('tandem.tasks')

---@class tandem.Step
---@field title string
---@field lane string
---@field state string
---@field files string[]
---@field model? string
---@field costUSD number
---@field error? string

---@class tandem.Task
---@field id string
---@field title string
---@field state 'queued'|'planning'|'planned'|'running'|'waiting'|'done'|'failed'|'cancelled'|'interrupted'
---@field steps tandem.Step[]
---@field plan? string
---@field question? string
---@field costUSD number
---@field estimate? { tokens: integer, costUSD: number }
---@field proposalId? string
---@field hasResult? boolean
---@field resolved? string
---@field error? string

---A line of the window: a task, one of its steps, or a file.
---@class (private) tandem.TaskRow
---@field task tandem.Task
---@field step? integer
---@field file? string

---@type tandem.Task[] newest first
local tasks = {}
---@type integer?
local buf
---@type table<integer, tandem.TaskRow> by line, from 1
local rows = {}

local over = { done = true, failed = true, cancelled = true, interrupted = true }
local marks = { done = '✓', failed = '✗', cancelled = '–', interrupted = '‖', waiting = '?', planned = '?', running = '▸', planning = '▸' }

---Whether there is a result that the user has not decided about.
---@param t tandem.Task
---@return boolean
local function has_result(t)
  return not t.resolved and (t.proposalId ~= nil or t.hasResult == true and over[t.state] == true)
end

---@param usd number
local function money(usd)
  return ('$%.' .. (usd < 0.1 and 4 or 2) .. 'f'):format(usd)
end

---What is said of a task beside its title.
---@param t tandem.Task
---@return string
local function about(t)
  local done = #vim.tbl_filter(function(s)
    return s.state == 'done'
  end, t.steps)
  local out = { t.resolved or (t.state == 'waiting' and 'waits for you' or t.state) }
  if #t.steps > 0 and not t.resolved then
    out[#out + 1] = ('%d of %d steps'):format(done, #t.steps)
  end
  if t.estimate and t.estimate.costUSD > t.costUSD then
    out[#out + 1] = ('%s of about %s'):format(money(t.costUSD), money(t.estimate.costUSD))
  elseif t.costUSD > 0 then
    out[#out + 1] = money(t.costUSD)
  end
  return table.concat(out, ' · ')
end

---The lines of the window, and the row that each of them is.
---@param list tandem.Task[]
---@return string[] lines
---@return table<integer, tandem.TaskRow> rows
function M.lines(list)
  local lines, of = {}, {}
  local function add(row, text)
    lines[#lines + 1] = (text:gsub('\n', ' '))
    of[#lines] = row
  end
  for _, t in ipairs(list) do
    add({ task = t }, ('%s %s   %s'):format(marks[t.state] or '·', t.title, about(t)))
    if t.question and t.state == 'waiting' then
      add({ task = t }, '    asks: ' .. t.question)
    end
    if t.error then
      add({ task = t }, '    ' .. t.error)
    end
    for i, s in ipairs(t.steps) do
      local cost = s.costUSD > 0 and ' · ' .. money(s.costUSD) or ''
      add({ task = t, step = i }, ('    %s %d. %s   %s · %s%s'):format(marks[s.state] or '·', i, s.title, s.model or s.lane, s.state, cost))
      if s.error then
        add({ task = t, step = i }, '        ' .. s.error)
      end
      for _, file in ipairs(s.files) do
        add({ task = t, step = i, file = file }, '        ' .. file)
      end
    end
  end
  if #lines == 0 then
    lines = { 'There are no tasks. Hand one to the deep model with :Tandem escalate' }
  end
  return lines, of
end

local function draw()
  if not buf or not vim.api.nvim_buf_is_valid(buf) then
    return
  end
  local lines
  lines, rows = M.lines(tasks)
  vim.bo[buf].modifiable = true
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, lines)
  vim.bo[buf].modifiable = false
  vim.api.nvim_buf_clear_namespace(buf, namespace, 0, -1)
  for i, row in pairs(rows) do
    local group = row.file and 'Directory' or not row.step and 'Title' or nil
    if group then
      vim.api.nvim_buf_set_extmark(buf, namespace, i - 1, 0, { end_row = i - 1, end_col = #lines[i], hl_group = group })
    end
  end
end

local function reload()
  require('tandem.client').request('tandem/tasks', vim.empty_dict(), function(result)
    tasks = result.tasks
    draw()
  end)
end

---@param method string
---@param params table
---@param done? fun(result: any)
local function request(method, params, done)
  require('tandem.client').request(method, params, function(result)
    if done then
      done(result)
    end
    reload()
  end)
end

---What the keys of the window do to a row.
local actions = {}

function actions.show(row)
  if not has_result(row.task) then
    return say('it has no result to show', vim.log.levels.WARN)
  end
  request('tandem/resolve', { id = row.task.id, action = 'show' }, function(result)
    require('tandem.proposal').when_known(result.proposalId, function()
      require('tandem.proposal').diff(result.proposalId, row.file)
    end)
  end)
end

function actions.accept(row)
  local params = { id = row.task.id, file = row.file, step = not row.file and row.step or nil }
  require('tandem.client').accept(params, function(result)
    reload()
    for _, c in ipairs(type(result) == 'table' and result.conflicts or {}) do
      say(('left out, %s:%d: %s'):format(c.path, c.line, c.message), vim.log.levels.WARN)
    end
  end)
end

function actions.reject(row)
  request('tandem/resolve', { id = row.task.id, action = 'reject' })
end

function actions.cancel(row)
  request('tandem/cancel', { id = row.task.id })
end

function actions.resume(row)
  request('tandem/resume', { id = row.task.id })
end

function actions.steer(row)
  vim.ui.input({ prompt = row.task.question or 'Steer: ' }, function(words)
    if words and words:match('%S') then
      request('tandem/steer', { id = row.task.id, text = words })
    end
  end)
end

---Opens the plan in a buffer; writing the buffer replaces the plan.
function actions.plan(row)
  vim.cmd('new')
  local plan = vim.api.nvim_get_current_buf()
  vim.bo[plan].buftype, vim.bo[plan].bufhidden = 'acwrite', 'wipe'
  vim.api.nvim_buf_set_name(plan, 'tandem://plan/' .. row.task.id)
  vim.api.nvim_buf_set_lines(plan, 0, -1, false, vim.split(vim.trim(row.task.plan or ''), '\n'))
  vim.bo[plan].modified = false
  vim.wo.winbar = ':write replaces the plan · r in the window of tasks runs it'
  vim.api.nvim_create_autocmd('BufWriteCmd', {
    buffer = plan,
    callback = function()
      local text = table.concat(vim.api.nvim_buf_get_lines(plan, 0, -1, false), '\n')
      request('tandem/plan', { id = row.task.id, text = text }, function()
        vim.bo[plan].modified = false
      end)
    end,
  })
end

---A title that leaves space for the rest of a message in one line.
---@param title string
local function short(title)
  return vim.fn.strchars(title) <= 30 and title or vim.fn.strcharpart(title, 0, 29) .. '…'
end

---Follows the tasks, and says that one has ended or waits.
---@param t tandem.Task
function M.follow(t)
  local known
  for i, old in ipairs(tasks) do
    if old.id == t.id then
      known, tasks[i] = old, t
    end
  end
  if not known then
    table.insert(tasks, 1, t)
  end
  draw()
  if known and known.state == t.state then
    return
  end
  local level, text = vim.log.levels.INFO, nil
  if t.state == 'planned' then
    text = ('"%s" has %d steps. :Tandem tasks'):format(short(t.title), #t.steps)
  elseif t.state == 'waiting' then
    text = ('"%s" asks: %s'):format(t.title, t.question or 'go on?')
  elseif t.state == 'done' then
    text = ('"%s" is done. :Tandem tasks'):format(short(t.title))
  elseif t.state == 'failed' or t.state == 'interrupted' then
    level, text = vim.log.levels.WARN, ('"%s" %s: %s'):format(t.title, t.state, t.error or '')
  end
  if text then
    say(text, level)
  end
end

---Opens the window.
function M.open()
  if buf and vim.api.nvim_buf_is_valid(buf) and vim.fn.bufwinid(buf) ~= -1 then
    vim.api.nvim_set_current_win(vim.fn.bufwinid(buf))
    return reload()
  end
  vim.cmd('botright 12new')
  buf = vim.api.nvim_get_current_buf()
  vim.bo[buf].buftype, vim.bo[buf].bufhidden, vim.bo[buf].swapfile = 'nofile', 'wipe', false
  vim.api.nvim_buf_set_name(buf, 'tandem://tasks')
  vim.bo[buf].modifiable = false
  vim.wo.number, vim.wo.wrap, vim.wo.cursorline = false, false, true
  vim.wo.winbar = '<CR> show  a accept  x reject  r run  s steer  p plan  c cancel  q close'
  local keys = { ['<CR>'] = 'show', a = 'accept', x = 'reject', r = 'resume', s = 'steer', p = 'plan', c = 'cancel' }
  for lhs, action in pairs(keys) do
    vim.keymap.set('n', lhs, function()
      local row = rows[vim.api.nvim_win_get_cursor(0)[1]]
      if row then
        actions[action](row)
      end
    end, { buffer = buf, nowait = true, desc = 'tandem: ' .. action })
  end
  vim.keymap.set('n', 'q', '<Cmd>close<CR>', { buffer = buf, nowait = true })
  draw()
  reload()
end

return M
