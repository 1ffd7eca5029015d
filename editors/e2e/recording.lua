-- Records what a terminal shows, as an image that plays it: one SVG file, no script. Neovim is
-- asked for its colours, in the runs that are made for the README (E2E_RECORD).
local M = {}

local interval_ms = 80
local last_frame_ms = 2500
local char_width, line_height = 8.4, 18
local paper, ink = '#14161b', '#e0e2ea' -- of Neovim's own dark colours

M.recording = os.getenv('E2E_RECORD') ~= nil

---Gives a viewer time to read; a test waits for states alone.
function M.pause(ms)
  if M.recording then
    vim.wait(ms)
  end
end

---Has the colours of the cells on the screen sent back, by row: { character, foreground, background }.
---Asking for them would wait while Neovim waits for a key, and nobody would press it.
local cells = [[
  local rows = {}
  for r = 0, vim.o.lines - 1 do
    local row = {}
    for c = 0, vim.o.columns - 1 do
      local cell = vim.api.nvim__inspect_cell(1, r, c)
      local a = cell[2] or {}
      local fg, bg = a.foreground, a.background
      if a.reverse then
        fg, bg = bg or 0x14161b, fg or 0xe0e2ea
      end
      row[#row + 1] = { cell[1] or '', fg or -1, bg or -1 }
    end
    rows[#rows + 1] = row
  end
  vim.rpcnotify(..., 'nvim_exec_lua', "require('recording').colours = ...", { rows })]]

---@class e2e.Recording
---@field frames { at: integer, rows: string[] }[]
---@field columns integer

local function escaped(text)
  return (text:gsub('&', '&amp;'):gsub('<', '&lt;'):gsub('>', '&gt;'))
end

---A row of the screen as SVG, without its place.
local function drawn(line, colours)
  local runs, chars = {}, vim.fn.split(line, '\\zs')
  for i, char in ipairs(chars) do
    local cell = colours and colours[i]
    local same = cell and (cell[1] == char or char == ' ' and cell[1] == '')
    local fg, bg = same and cell[2] or -1, same and cell[3] or -1
    local run = runs[#runs]
    if run and run.fg == fg and run.bg == bg then
      run.text, run.n = run.text .. char, run.n + 1
    else
      runs[#runs + 1] = { text = char, at = i - 1, n = 1, fg = fg, bg = bg }
    end
  end
  local out = {}
  for _, run in ipairs(runs) do
    local x = 10 + run.at * char_width
    if run.bg >= 0 and ('#%06x'):format(run.bg) ~= paper then
      out[#out + 1] = ('<rect x="%.1f" y="-14" width="%.1f" height="%d" fill="#%06x"/>'):format(x, run.n * char_width, line_height, run.bg)
    end
    if vim.trim(run.text) ~= '' then
      out[#out + 1] = ('<text x="%.1f" textLength="%.1f" xml:space="preserve"%s>%s</text>')
        :format(x, run.n * char_width, run.fg >= 0 and (' fill="#%06x"'):format(run.fg) or '', escaped(run.text))
    end
  end
  return table.concat(out)
end

---A row of a screen without what differs from run to run: numbers, and how many blanks follow them.
local function steady(row)
  return vim.trim((row:gsub('%d+', '#'):gsub('%s+', ' ')))
end

---The screens that a picture of the documentation plays, each by row.
---@param path string
---@return table<integer, string>[]
local function screens(path)
  local rows, changes, at = {}, {}, {}
  for y, from, to, body in vim.fn.join(vim.fn.readfile(path), '\n'):gmatch('<g transform="translate%(0 (%d+)%)".-keyTimes="0;([%d.]+);([%d.]+)"/>(.-)</g>') do
    local row = ''
    for x, text in body:gmatch('<text x="([%d.]+)".->(.-)</text>') do
      local column = math.floor((tonumber(x) - 10) / char_width + 0.5)
      text = text:gsub('&lt;', '<'):gsub('&gt;', '>'):gsub('&amp;', '&')
      row = row .. (' '):rep(column - vim.fn.strdisplaywidth(row)) .. text
    end
    rows[#rows + 1] = { n = tonumber(y) / line_height, from = tonumber(from), to = tonumber(to), text = row }
    changes[tonumber(from)] = true
  end
  for time in pairs(changes) do
    local screen = {}
    for _, row in ipairs(rows) do
      if row.from <= time and time < row.to then
        screen[row.n] = row.text
      end
    end
    at[#at + 1] = screen
  end
  return at
end

---Waits until a picture of the documentation has what the screen shows, its last two rows left
---out, which are the status and messages. A run that records has nothing to compare.
---@param terminal e2e.Terminal
---@param picture string
function M.compare(terminal, picture)
  if M.recording then
    return
  end
  local path = vim.fs.dirname(os.getenv('E2E_PAGE')) .. '/images/' .. picture
  local drawn, best = screens(path), {}
  local same = vim.wait(10000, function()
    local now, least = vim.split((terminal:screen():gsub('%s+$', '')), '\n'), math.huge
    for _, screen in ipairs(drawn) do
      local other = {}
      for n = 1, #now - 2 do
        if steady(now[n]) ~= steady(screen[n] or '') then
          other[#other + 1] = ('  the screen  %s\n  the picture %s'):format(now[n], screen[n] or '')
        end
      end
      if #other < least then
        least, best = #other, other
      end
    end
    return least == 0
  end, 100)
  if not same then
    error(('docs/images/%s shows another tandem; look at this, and make recordings:\n%s'):format(picture, table.concat(best, '\n')), 0)
  end
end

---@param terminal e2e.Terminal
---@return e2e.Recording
function M.start(terminal)
  local back = M.recording and vim.rpcrequest(terminal.channel, 'nvim_get_chan_info', 0).id
  local self = { frames = {}, columns = 0, begin = vim.uv.now(), timer = assert(vim.uv.new_timer()) }
  self.timer:start(0, interval_ms, vim.schedule_wrap(function()
    if self.timer:is_closing() then
      return
    end
    local screen = terminal:screen()
    local colours = M.colours
    if back then
      vim.rpcnotify(terminal.channel, 'nvim_exec_lua', cells, { back })
    end
    local rows = {}
    for n, line in ipairs(vim.split(screen, '\n')) do
      line = line:gsub('%s+$', '')
      if colours and colours[n] then -- a background may go on behind the text
        line = line .. (' '):rep(#colours[n] - vim.fn.strchars(line))
      end
      self.columns = math.max(self.columns, vim.fn.strchars(line))
      rows[n] = drawn(line, colours and colours[n])
    end
    if not vim.deep_equal(rows, self.last) then
      self.last = rows
      table.insert(self.frames, { at = vim.uv.now() - self.begin, rows = rows })
    end
  end))
  return self
end

---Writes each row once for the time that it stays.
---@param self e2e.Recording
---@param path string
function M.save(self, path)
  self.timer:close()
  local rows = 0
  for _, frame in ipairs(self.frames) do
    for n, row in ipairs(frame.rows) do
      rows = row ~= '' and math.max(rows, n) or rows
    end
  end
  local total = self.frames[#self.frames].at + last_frame_ms
  local width, height = math.ceil(20 + self.columns * char_width), rows * line_height + 20
  local out = {
    ('<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="monospace" font-size="14" fill="%s">'):format(width, height, width, height, ink),
    ('<rect width="%d" height="%d" rx="6" fill="%s"/>'):format(width, height, paper),
  }
  for n = 1, rows do
    local shown, from = '', 0
    for i = 1, #self.frames + 1 do
      local frame = self.frames[i]
      local row = frame and frame.rows[n] or ''
      if row ~= shown or not frame then
        local to = frame and frame.at or total
        if shown ~= '' and to > from then
          out[#out + 1] = ('<g transform="translate(0 %d)" visibility="hidden"><animate attributeName="visibility" calcMode="discrete" dur="%dms" repeatCount="indefinite" values="hidden;visible;hidden" keyTimes="0;%.4f;%.4f"/>%s</g>')
            :format(n * line_height, total, math.max(from / total, 0.0001), math.min(math.max(to / total, from / total + 0.0002), 1), shown)
        end
        shown, from = row, to
      end
    end
  end
  out[#out + 1] = '</svg>'
  vim.fn.writefile(out, path)
  io.stdout:write(('      recorded %s, %.1f s\n'):format(vim.fs.basename(path), total / 1000))
end

return M
