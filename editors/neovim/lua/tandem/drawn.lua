---Text that is drawn into a buffer beside its own: lines between its lines, and hints. A
---window does not break such text, and cuts what is longer than itself; here it is broken,
---so that all of it is seen.
local M = {}

---The columns that the window of a buffer has for text, beside a column of signs that may
---appear with what is drawn.
---@param buf integer
---@return integer
local function width(buf)
  local info = vim.fn.getwininfo(vim.fn.bufwinid(buf))[1]
  return math.max(20, (info and info.width - info.textoff or vim.o.columns) - 2)
end

---Breaks a text into pieces that a window has space for, each filled up to its width.
---@param buf integer
---@param text string
---@param group string
---@return [string, string][][]
local function pieces(buf, text, group)
  local columns, out, line, used = width(buf), {}, '', 0
  local tab = (' '):rep(vim.bo[buf].tabstop)
  for _, char in ipairs(vim.fn.split((text:gsub('\t', tab)), '\\zs')) do
    local cells = vim.fn.strdisplaywidth(char)
    if used + cells > columns then
      out[#out + 1], line, used = { { line, group } }, '', 0
    end
    line, used = line .. char, used + cells
  end
  out[#out + 1] = { { line .. (' '):rep(columns - used), group } }
  return out
end

---Virtual lines for texts, whole.
---@param buf integer
---@param texts string[]
---@param group string
---@return [string, string][][]
function M.lines(buf, texts, group)
  return vim.iter(texts):map(function(text)
    return pieces(buf, text, group)
  end):flatten(1):totable()
end

---Two parts of a headline, beside each other if a window has space for both.
---@param buf integer
---@param facts string
---@param commands string
---@return string[]
function M.fitted(buf, facts, commands)
  local both = facts .. '   ' .. commands
  return vim.fn.strdisplaywidth(both) <= width(buf) and { both } or { facts, commands }
end

---Draws lines above a row, or below the last row of the buffer if the row is after it.
---@param buf integer
---@param namespace integer
---@param row integer
---@param lines [string, string][][]
---@param priority? integer
function M.above(buf, namespace, row, lines, priority)
  local last = vim.api.nvim_buf_line_count(buf) - 1
  vim.api.nvim_buf_set_extmark(buf, namespace, math.min(row, last), 0, {
    virt_lines = lines, virt_lines_above = row <= last, priority = priority,
  })
end

---Scrolls the windows that begin with the first line so that what is drawn above it is seen.
---@param buf integer
function M.uncover(buf)
  local count = 0
  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(buf, -1, { 0, 0 }, { 0, -1 }, { details = true, type = 'virt_lines' })) do
    count = count + (mark[4].virt_lines_above and #mark[4].virt_lines or 0)
  end
  for _, win in ipairs(count > 0 and vim.fn.win_findbuf(buf) or {}) do
    vim.api.nvim_win_call(win, function()
      if vim.fn.line('w0') == 1 then
        vim.fn.winrestview({ topfill = count })
      end
    end)
  end
end

local typed = vim.api.nvim_create_namespace('tandem.typed')

---Marks the lines that the user types in, for two seconds.
vim.api.nvim_create_autocmd({ 'TextChanged', 'TextChangedI', 'TextChangedP' }, {
  group = vim.api.nvim_create_augroup('tandem.typed', {}),
  callback = function(args)
    local mark = vim.api.nvim_buf_set_extmark(args.buf, typed, vim.api.nvim_win_get_cursor(0)[1] - 1, 0, {})
    vim.defer_fn(function()
      pcall(vim.api.nvim_buf_del_extmark, args.buf, typed, mark)
    end, 2000)
  end,
})

---Whether the user is at work where rows start to stop would be drawn upon: within three lines of a
---cursor, or typing in them.
---@param buf integer
---@param start integer
---@param stop integer the row after the last
---@return boolean
function M.in_use(buf, start, stop)
  for _, win in ipairs(vim.fn.win_findbuf(buf)) do
    local row = vim.api.nvim_win_get_cursor(win)[1] - 1
    if row >= start - 3 and row <= stop + 2 then
      return true
    end
  end
  return #vim.api.nvim_buf_get_extmarks(buf, typed, { start, 0 }, { math.max(start, stop - 1), -1 }, { limit = 1 }) > 0
end

---Draws, and leaves the cursor of each window of a buffer at its place on the screen.
---@param buf integer
---@param draw fun()
function M.still(buf, draw)
  local rows = {} ---@type table<integer, integer>
  for _, win in ipairs(vim.fn.win_findbuf(buf)) do
    rows[win] = vim.api.nvim_win_call(win, vim.fn.winline)
  end
  draw()
  for win, row in pairs(rows) do
    vim.api.nvim_win_call(win, function()
      local by, view = vim.fn.winline() - row, vim.fn.winsaveview()
      if by ~= 0 then
        vim.cmd.normal({ math.abs(by) .. (by > 0 and '\5' or '\25'), bang = true })
        local now = vim.fn.winsaveview()
        vim.fn.winrestview(vim.tbl_extend('force', view, { topline = now.topline, topfill = now.topfill }))
      end
    end)
  end
end

---Draws a hint after the end of a row of the current window, or below it if that end is out
---of sight, and a sign in the gutter.
---@param namespace integer
---@param row integer
---@param text string
---@param sign string
function M.hint(namespace, row, text, sign)
  local buf, columns = vim.api.nvim_get_current_buf(), width(0)
  local last = vim.fn.virtcol({ row + 1, '$' }) - 1
  local stop = vim.wo.wrap and last % columns or last - vim.fn.winsaveview().leftcol
  local mark = { sign_text = sign, sign_hl_group = 'Comment' }
  if stop >= 0 and stop + 2 + vim.fn.strdisplaywidth(text) <= columns then
    mark.virt_text = { { '  ' .. text, 'Comment' } }
  else
    mark.virt_lines = M.lines(buf, { text }, 'Comment')
  end
  vim.api.nvim_buf_set_extmark(buf, namespace, row, 0, mark)
end

return M
