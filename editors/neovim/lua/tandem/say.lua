---Messages, each shown where it waits for no key: in the line for messages if it fits there,
---else in a window at the edge that goes when the user goes on and has had time to read it.
local least_ms, ms_a_character = 1500, 25
local groups = { [vim.log.levels.ERROR] = 'DiagnosticError', [vim.log.levels.WARN] = 'DiagnosticWarn' }

---@type { win: integer, until_ms: number, lines: string[] }?
local shown

local function close()
  if shown and vim.api.nvim_win_is_valid(shown.win) then
    vim.api.nvim_win_close(shown.win, true)
  end
  shown = nil
end

---Shows lines at the edge, below those that the user is still reading.
---@param lines string[]
---@param level integer
local function at_edge(lines, level)
  local now, before = vim.uv.now(), {}
  if shown and now < shown.until_ms and not vim.deep_equal(vim.list_slice(shown.lines, #shown.lines - #lines + 1), lines) then
    before = shown.lines -- a message that is repeated is read once
  end
  close()
  lines = vim.list_extend(vim.list_slice(before), lines)
  local buf = vim.api.nvim_create_buf(false, true)
  vim.bo[buf].bufhidden = 'wipe'
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, lines)
  local columns, rows, length = 1, 0, 0
  local most = math.max(20, math.min(80, vim.o.columns - 4))
  for _, line in ipairs(lines) do
    local cells = vim.fn.strdisplaywidth(line)
    columns, rows, length = math.max(columns, math.min(cells, most)), rows + math.max(1, math.ceil(cells / most)), length + cells
  end
  local win = vim.api.nvim_open_win(buf, false, {
    relative = 'editor', anchor = 'NE', row = 1, col = vim.o.columns, width = columns, height = math.max(1, math.min(rows, vim.o.lines - 6)),
    style = 'minimal', border = 'rounded', focusable = false, noautocmd = true, zindex = 60,
  })
  vim.wo[win].wrap, vim.wo[win].linebreak = true, true
  vim.wo[win].winhighlight = 'NormalFloat:' .. (groups[level] or 'NormalFloat')
  shown = { win = win, until_ms = now + least_ms + length * ms_a_character, lines = lines }
  vim.api.nvim_create_autocmd({ 'CursorMoved', 'CursorMovedI', 'InsertEnter', 'CmdlineEnter' }, {
    group = vim.api.nvim_create_augroup('tandem.say', {}),
    callback = function()
      if not shown or vim.uv.now() >= shown.until_ms then
        close()
        return true
      end
    end,
  })
end

---Whether messages go to the line for them, and not to a plugin.
---@return boolean
local function builtin()
  return vim.startswith(debug.getinfo(vim.notify, 'S').source, '@vim/') ~= nil
end

---@param text string
---@param level? integer of vim.log.levels
return function(text, level)
  level = level or vim.log.levels.INFO
  text = 'tandem: ' .. vim.trim(text):gsub('%f[%w]tandem setup%f[%W]', ':Tandem setup') -- what is typed in a shell is a command here
  local fits = not text:find('\n') and vim.fn.strdisplaywidth(text) <= vim.v.echospace
  if builtin() and (not fits or vim.api.nvim_get_mode().mode:sub(1, 1) == 'c') then
    return at_edge(vim.split(text, '\n'), level)
  end
  vim.cmd.redraw() -- a message below another one would wait for a key
  vim.notify(text, level)
end
