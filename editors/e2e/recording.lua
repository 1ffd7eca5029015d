-- Records what a terminal shows, as an image that plays it: one SVG file, no script.
local M = {}

local interval_ms = 80
local last_frame_ms = 2500

---@class e2e.Recording
---@field frames { at: integer, lines: string[] }[]

---@param terminal e2e.Terminal
---@return e2e.Recording
function M.start(terminal)
  local self = { frames = {}, begin = vim.uv.now(), timer = assert(vim.uv.new_timer()) }
  self.timer:start(0, interval_ms, vim.schedule_wrap(function()
    local screen = terminal:screen()
    if screen ~= self.last then
      self.last = screen
      table.insert(self.frames, { at = vim.uv.now() - self.begin, lines = vim.split(screen, '\n') })
    end
  end))
  return self
end

local function escaped(text)
  return (text:gsub('&', '&amp;'):gsub('<', '&lt;'):gsub('>', '&gt;'))
end

---The colour of a line: what is new, what was removed, what tandem says.
local function class(line)
  if line:match('^%+ ') then
    return 'new'
  elseif line:match('^%s+%- ') then
    return 'old'
  elseif line:match('^%s+tandem[ :]') or line:match(':Tandem') then
    return 'say'
  end
  return 'text'
end

---@param self e2e.Recording
---@param path string
function M.save(self, path)
  self.timer:close()
  local rows = 0
  for _, frame in ipairs(self.frames) do
    rows = math.max(rows, #frame.lines)
  end
  local total = self.frames[#self.frames].at + last_frame_ms
  local width, height = 780, rows * 18 + 20
  local out = {
    ('<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="monospace" font-size="14">'):format(width, height, width, height),
    '<style>.f{visibility:hidden}.text{fill:#d4d4d4}.new{fill:#7ee787}.old{fill:#ff7b72}.say{fill:#79c0ff}</style>',
    ('<rect width="%d" height="%d" rx="6" fill="#1e1e1e"/>'):format(width, height),
  }
  for i, frame in ipairs(self.frames) do
    local stop = self.frames[i + 1] and self.frames[i + 1].at or total
    local from, to = frame.at / total, stop / total
    out[#out + 1] = '<g class="f">'
    out[#out + 1] = ('<animate attributeName="visibility" calcMode="discrete" dur="%dms" repeatCount="indefinite" values="hidden;visible;hidden" keyTimes="0;%.4f;%.4f"/>')
      :format(total, math.max(from, 0.0001), math.min(math.max(to, from + 0.0002), 1))
    for n = 1, #frame.lines do
      local line = frame.lines[n]:gsub('%s+$', '')
      if line ~= '' then
        out[#out + 1] = ('<text x="10" y="%d" class="%s" xml:space="preserve">%s</text>'):format(n * 18, class(line), escaped(line))
      end
    end
    out[#out + 1] = '</g>'
  end
  out[#out + 1] = '</svg>'
  vim.fn.writefile(out, path)
end

return M
