---How streamed edits look in their buffer: the lines that go, the lines that come below
---them, and a line that says whose answer it is and what can be done with it.
local drawn = require('tandem.drawn')
local M = {}

local namespace = vim.api.nvim_create_namespace('tandem.streamed_edit')

---What the shown answer does to other documents.
---@param edit tandem.StreamedEdit
---@return tandem.Document[]
function M.others(edit)
  local answer, here = edit.answers[edit.index], vim.uri_from_bufnr(edit.buf)
  return vim.tbl_filter(function(d)
    return d.uri ~= here
  end, answer and answer.proposal.documents or {})
end

---What a person should know of an answer: what the checks found, who wrote it, what it cost.
---@param edit tandem.StreamedEdit
---@return string
local function facts(edit)
  local answer = edit.answers[edit.index]
  local p = answer and answer.proposal or {}
  local out = edit.note ~= '' and { edit.note } or {}
  out[#out + 1] = require('tandem.proposal').doubt(p)
  local others = #M.others(edit)
  if others > 0 then
    out[#out + 1] = ('%s%d other file%s: diff'):format(#edit.draft:shown() > 0 and 'and ' or '', others, others > 1 and 's' or '')
  end
  if p.model then
    out[#out + 1] = p.lane and p.lane .. ': ' .. p.model or p.model
  end
  if p.costUSD and p.costUSD >= 0.00005 then
    out[#out + 1] = ('$%.4f'):format(p.costUSD)
  end
  if #edit.answers > 1 then
    out[#out + 1] = ('answer %d of %d'):format(edit.index, #edit.answers)
  end
  return table.concat(out, ' · ')
end

---What an edit is, and what can be done with it, in a line or two.
---@param edit tandem.StreamedEdit
---@return string[]
local function headline(edit)
  if edit.phase == 'writing' then
    local doing = edit.checking and 'checking: it reads what the change uses' or 'writing'
    return { 'tandem is ' .. doing .. ' …   :Tandem stop · reject · steer' }
  end
  local known, answer = facts(edit), edit.answers[edit.index]
  local accept = require('tandem.proposal').accepts(answer and answer.proposal or {})
  local broken = answer and answer.proposal.breaks
  accept = accept .. (broken and #broken > 0 and (' · complete (at %d places)'):format(#broken) or '')
  return drawn.fitted(edit.buf, 'tandem' .. (known ~= '' and ' · ' .. known or ''), ':Tandem ' .. accept .. ' · reject · next-change · again · deeper · steer')
end

---The row above which the edit is announced.
---@param edit tandem.StreamedEdit
function M.row(edit)
  local first = edit.draft:shown()[1]
  local row = first and first.start or edit.draft.place.start
  return math.min(row, vim.api.nvim_buf_line_count(edit.buf) - 1)
end

---Marks the lines that go, with what comes in their place below them.
---@param edit tandem.StreamedEdit
local function draw(edit)
  local buf = edit.buf
  drawn.above(buf, namespace, M.row(edit), drawn.lines(buf, headline(edit), 'Comment'), 10)
  for _, h in ipairs(edit.draft:shown()) do
    for row = h.start, h['end'] - 1 do
      vim.api.nvim_buf_set_extmark(buf, namespace, row, 0, { line_hl_group = 'DiffDelete', sign_text = '-', sign_hl_group = 'DiffDelete' })
    end
    if #h.lines > 0 then
      drawn.above(buf, namespace, h['end'], drawn.lines(buf, h.lines, 'DiffAdd'))
    end
  end
end

local function redraw(buf)
  if not vim.api.nvim_buf_is_loaded(buf) then
    return
  end
  vim.api.nvim_buf_clear_namespace(buf, namespace, 0, -1)
  for _, e in ipairs(require('tandem.streamed_edit').of(buf)) do
    draw(e)
  end
  drawn.uncover(buf)
end

local waiting = {} ---@type table<integer, boolean>

---Draws soon, once for many changes.
function M.draw_soon(buf)
  if not waiting[buf] then
    waiting[buf] = true
    vim.schedule(function()
      waiting[buf] = nil
      redraw(buf)
    end)
  end
end

return M
