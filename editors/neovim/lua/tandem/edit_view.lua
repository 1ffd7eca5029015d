---How streamed edits look in their buffer: what is new, what was removed, and a line that
---says whose answer it is and what can be done with it.
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
  if p.costUSD and p.costUSD > 0 then
    out[#out + 1] = ('$%.4f'):format(p.costUSD)
  end
  if #edit.answers > 1 then
    out[#out + 1] = ('answer %d of %d'):format(edit.index, #edit.answers)
  end
  return table.concat(out, ' · ')
end

---@param edit tandem.StreamedEdit
---@return string
local function headline(edit)
  if edit.phase == 'writing' then
    local doing = edit.checking and 'checking: it reads what the change uses' or 'writing'
    return 'tandem is ' .. doing .. ' …   :Tandem stop · reject · steer'
  end
  local known, answer = facts(edit), edit.answers[edit.index]
  local accept = require('tandem.proposal').accepts(answer and answer.proposal or {})
  return 'tandem' .. (known ~= '' and ' · ' .. known or '') .. '   :Tandem ' .. accept .. ' · reject · next · again · deeper · steer · removed'
end

---The row above which the edit is announced.
---@param edit tandem.StreamedEdit
function M.row(edit)
  local first = edit.draft:shown()[1]
  local row = first and first.start or edit.draft:current(edit.range.start.line) or 0
  return math.min(row, vim.api.nvim_buf_line_count(edit.buf) - 1)
end

---Marks the lines of the edit.
---@param edit tandem.StreamedEdit
local function draw(edit)
  local last = vim.api.nvim_buf_line_count(edit.buf) - 1
  vim.api.nvim_buf_set_extmark(edit.buf, namespace, M.row(edit), 0, {
    virt_lines = { { { headline(edit), 'Comment' } } },
    virt_lines_above = true,
    priority = 10,
  })
  for _, h in ipairs(edit.draft:shown()) do
    for row = h.start, h['end'] - 1 do
      vim.api.nvim_buf_set_extmark(edit.buf, namespace, row, 0, { line_hl_group = 'DiffAdd', sign_text = '+', sign_hl_group = 'DiffAdd' })
    end
    if h['end'] == h.start and not edit.removed then
      vim.api.nvim_buf_set_extmark(edit.buf, namespace, math.min(h.start, last), 0, { sign_text = '‾', sign_hl_group = 'DiffDelete' })
    end
    if edit.removed and #h.removed > 0 then
      local lines = vim.tbl_map(function(line)
        return { { '- ' .. line, 'DiffDelete' } }
      end, h.removed)
      local below = h.start > last
      vim.api.nvim_buf_set_extmark(edit.buf, namespace, math.min(h.start, last), 0, { virt_lines = lines, virt_lines_above = not below })
    end
  end
end

local function redraw(buf)
  if not vim.api.nvim_buf_is_loaded(buf) then
    return
  end
  vim.api.nvim_buf_clear_namespace(buf, namespace, 0, -1)
  local list = require('tandem.streamed_edit').of(buf)
  for _, e in ipairs(list) do
    draw(e)
  end
  -- Virtual lines above the first line of a window are not seen unless it scrolls.
  if #list > 0 and M.row(list[1]) == 0 then
    for _, win in ipairs(vim.fn.win_findbuf(buf)) do
      vim.api.nvim_win_call(win, function()
        if vim.fn.line('w0') == 1 then
          vim.fn.winrestview({ topfill = 3 })
        end
      end)
    end
  end
end

local drawn = {} ---@type table<integer, boolean>

---Draws soon, once for many changes.
function M.draw_soon(buf)
  if not drawn[buf] then
    drawn[buf] = true
    vim.schedule(function()
      drawn[buf] = nil
      redraw(buf)
    end)
  end
end

return M
