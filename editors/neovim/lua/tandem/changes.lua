---Reviews the changes of the working tree from a base, whoever wrote them: marks that the
---server keeps, and hunks that are shown where they are. It asks no model.
local drawn = require('tandem.drawn')
local say = require('tandem.say')
local M = {}

---@class (private) tandem.Hunk
---@field id string
---@field range lsp.Range whole lines as they are now
---@field removed string
---@field mark? 'reviewed'|'kept'
---@field findings { range: lsp.Range, severity: integer, message: string }[]

---@class (private) tandem.ChangedFile
---@field uri string
---@field path string
---@field created? boolean
---@field deleted? boolean
---@field hunks tandem.Hunk[]
---@field findings? { range: lsp.Range, severity: integer, message: string }[] on lines that are as in the base

local ns = vim.api.nvim_create_namespace('tandem.changes')
vim.diagnostic.config({ virtual_text = false, virtual_lines = true }, ns) -- what a check says is read where it is, and behind a long line it would be cut
local quiet_ms = 300
local rest_ms = 1500 ---until lines that changed are checked too
local base ---@type string?
local files = {} ---@type tandem.ChangedFile[]
local checked = {} ---@type table<string, tandem.Hunk> the hunks of the last check, by their ids
local unjudged = {} ---@type string[] what the last check says of what it could not judge
local timer = assert(vim.uv.new_timer())
local group = vim.api.nvim_create_augroup('tandem.changes', {})

---@param args table
---@param done? fun(result: any)
local function run(args, done)
  require('tandem.client').execute('changes', vim.tbl_extend('force', { base = base }, args), done)
end

---@param hunk tandem.Hunk
---@param buf integer
local function draw_hunk(hunk, buf)
  local first, last = hunk.range.start.line, hunk.range['end'].line
  local most = vim.api.nvim_buf_line_count(buf)
  local faint = hunk.mark ~= nil
  for line = first, math.min(last, most) - 1 do
    vim.api.nvim_buf_set_extmark(buf, ns, line, 0, { line_hl_group = not faint and 'DiffAdd' or nil, sign_text = faint and '✓' or '+' })
  end
  if faint then
    vim.api.nvim_buf_set_extmark(buf, ns, math.min(first, most - 1), 0, { virt_text = { { '✓ ' .. hunk.mark, 'Comment' } } })
  elseif hunk.removed ~= '' then
    local removed = vim.split((hunk.removed:gsub('\n$', '')), '\n')
    drawn.above(buf, ns, first, drawn.lines(buf, removed, 'DiffDelete'))
  end
end

---Draws the changes of a file anew: what was drawn before goes.
---@param file tandem.ChangedFile
local function draw(file)
  local buf = vim.uri_to_bufnr(file.uri)
  if not vim.api.nvim_buf_is_loaded(buf) then
    return
  end
  vim.api.nvim_buf_clear_namespace(buf, ns, 0, -1)
  local found = {}
  local function add(findings)
    for _, f in ipairs(findings or {}) do
      local from, to = f.range.start, f.range['end']
      found[#found + 1] = { lnum = from.line, col = from.character, end_lnum = to.line, end_col = to.character, message = f.message, severity = f.severity, source = 'tandem check' }
    end
  end
  add(file.findings)
  for _, hunk in ipairs(file.hunks) do
    draw_hunk(hunk, buf)
    add(hunk.findings)
  end
  vim.diagnostic.set(ns, buf, found)
  drawn.uncover(buf)
end

local function clear()
  vim.diagnostic.reset(ns)
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buf) then
      vim.api.nvim_buf_clear_namespace(buf, ns, 0, -1)
    end
  end
end

---The hunks that are left, in the order of the list.
---@return { file: tandem.ChangedFile, hunk: tandem.Hunk }[]
local function left()
  local out = {}
  for _, file in ipairs(files) do
    for _, hunk in ipairs(file.hunks) do
      if not hunk.mark then
        out[#out + 1] = { file = file, hunk = hunk }
      end
    end
  end
  return out
end

---What the last check has found moves with its hunk.
---@param new tandem.ChangedFile[]
---@return boolean whole whether the check has seen every hunk
local function keep_findings(new)
  for _, file in ipairs(files) do
    if #file.hunks == 0 then -- it uses what the changes take away
      table.insert(new, file)
    end
  end
  local whole = true
  for _, file in ipairs(new) do
    for _, hunk in ipairs(file.hunks) do
      local before = checked[hunk.id]
      whole = whole and before ~= nil
      for _, f in ipairs(before and before.findings or {}) do
        local moved, by = vim.deepcopy(f), hunk.range.start.line - before.range.start.line
        moved.range.start.line, moved.range['end'].line = f.range.start.line + by, f.range['end'].line + by
        table.insert(hunk.findings, moved)
      end
    end
  end
  return whole
end

---@param quick boolean without checks
---@param done? fun()
local function load(quick, done)
  run({ quick = quick }, function(result)
    if base then
      if not quick then
        checked, unjudged = {}, result.unjudged or {}
        for _, file in ipairs(result.files) do
          for _, hunk in ipairs(file.hunks) do
            checked[hunk.id] = hunk
          end
        end
      elseif not keep_findings(result.files) then
        timer:start(rest_ms, 0, vim.schedule_wrap(function()
          if base then
            load(false)
          end
        end))
      end
      files = result.files
      clear()
      vim.iter(files):each(draw)
    end
    if done then
      done()
    end
  end)
end

local function later()
  timer:start(quiet_ms, 0, vim.schedule_wrap(function()
    if base then
      load(true)
    end
  end))
end

---@param place { file: tandem.ChangedFile, hunk: tandem.Hunk }
local function go_to(place)
  if not place.file.deleted then
    if vim.uri_to_bufnr(place.file.uri) ~= vim.api.nvim_get_current_buf() then -- :edit would refuse what a revert has changed
      vim.cmd.edit(vim.fn.fnameescape(vim.uri_to_fname(place.file.uri)))
    end
    local line = math.min(place.hunk.range.start.line + 1, vim.api.nvim_buf_line_count(0))
    vim.api.nvim_win_set_cursor(0, { line, 0 })
    vim.cmd.normal({ 'zz', bang = true })
    draw(place.file)
  end
end

---The hunk at the cursor.
---@return tandem.Hunk?
local function here()
  local line = vim.api.nvim_win_get_cursor(0)[1] - 1
  for _, file in ipairs(files) do
    if file.uri == vim.uri_from_bufnr(0) then
      for _, hunk in ipairs(file.hunks) do
        if hunk.range.start.line <= line and line < math.max(hunk.range['end'].line, hunk.range.start.line + 1) then
          return hunk
        end
      end
    end
  end
  say('there is no change at the cursor. Start with :Tandem changes, and go to one', vim.log.levels.WARN)
end

---Goes to the next hunk after the cursor that has no mark, or to the one before it; around the end.
---@param step 1|-1
---@return boolean whether changes are being reviewed
function M.next(step)
  if not base then
    return false
  end
  local list, index, line = left(), 0, vim.api.nvim_win_get_cursor(0)[1] - 1
  for i, file in ipairs(files) do
    index = file.uri == vim.uri_from_bufnr(0) and i or index
  end
  local function order(place)
    for i, file in ipairs(files) do
      if file == place.file then
        return i == index and place.hunk.range.start.line - line or (i - index) * 1e9
      end
    end
  end
  local before, after = {}, {}
  for _, place in ipairs(list) do
    local at = order(place)
    if at ~= 0 then
      table.insert(at > 0 and after or before, place)
    end
  end
  local target = step == 1 and (after[1] or list[1]) or step == -1 and (before[#before] or list[#list])
  if target then
    go_to(target)
  else
    if #files == 0 then
      say(('nothing differs from %s'):format(base))
    else
      say('every change is reviewed')
    end
  end
  return true
end

---Marks the hunk at the cursor, or takes the mark away, and goes on.
---@param mark 'reviewed'|'kept'
function M.mark(mark)
  local hunk = here()
  if hunk then
    run({ action = hunk.mark == mark and 'unmark' or mark, id = hunk.id }, function()
      load(true, function()
        M.next(1)
      end)
    end)
  end
end

---Brings the base's lines of the hunk at the cursor back, and goes on.
function M.revert()
  local hunk = here()
  if hunk then
    run({ action = 'revert', id = hunk.id }, function()
      load(true, function()
        M.next(1)
      end)
    end)
  end
end

---What changes from now on can be reviewed with the base moment.
function M.moment()
  run({ action = 'moment' }, function()
    say('what changes from now on is shown by :Tandem changes moment')
  end)
end

---Shows the changes from a base, as a list and where they are; a second time ends it.
---@param from? string HEAD, merge-base, moment, or a revision
function M.start(from)
  if base and not from then
    base, files, checked, unjudged = nil, {}, {}, {}
    vim.api.nvim_clear_autocmds({ group = group })
    say('the review has ended')
    return clear()
  end
  base = from or 'HEAD'
  vim.api.nvim_create_autocmd({ 'TextChanged', 'InsertLeave', 'BufWinEnter', 'FocusGained', 'FileChangedShellPost' }, { group = group, callback = later })
  vim.api.nvim_create_autocmd('BufWritePost', { group = group, callback = function() load(false) end })
  load(false, function()
    local items = {}
    for _, place in ipairs(left()) do
      local name, range, found = vim.uri_to_fname(place.file.uri), place.hunk.range, place.hunk.findings
      local size = ('+%d -%d'):format(range['end'].line - range.start.line, select(2, place.hunk.removed:gsub('\n', '')))
      table.insert(items, { filename = name, lnum = range.start.line + 1, text = size .. (found[1] and ' ' .. found[1].message or '') })
      for _, f in ipairs({ unpack(found, 2) }) do
        table.insert(items, { filename = name, lnum = f.range.start.line + 1, text = f.message })
      end
    end
    for _, file in ipairs(files) do
      for _, f in ipairs(file.findings or {}) do
        table.insert(items, { filename = vim.uri_to_fname(file.uri), lnum = f.range.start.line + 1, text = f.message, type = 'W' })
      end
    end
    for _, sentence in ipairs(unjudged) do
      table.insert(items, { text = 'not judged: ' .. sentence, type = 'I' })
    end
    vim.fn.setqflist({}, ' ', { title = 'tandem: changes since ' .. base, items = items })
    M.next(1)
  end)
end

return M
