-- Drives a program in a pty as its user does: it sends keys and reads the real
-- screen. For Neovim there is RPC too, to inspect what the screen cannot show.
local M = {}

M.out = assert(os.getenv('E2E_OUT'))
M.workspace = M.out .. '/mod'
M.log = M.out .. '/server.log'

local timeout_ms = (tonumber(os.getenv('E2E_PATIENCE')) or 30) * 1000 -- for a slower machine

---Waits until probe returns a true value and returns it.
function M.wait(what, probe)
  local got
  local ok = vim.wait(timeout_ms, function()
    got = probe()
    return got
  end, 20)
  if not ok then
    error('waited in vain for ' .. what, 0)
  end
  return got
end

--- Keeps the model in the middle of its answers, however slow the machine is; go_on lets it write the rest.
function M.hold()
  assert(io.open(M.out .. '/hold', 'w')):close()
end

function M.go_on()
  assert(os.remove(M.out .. '/hold'))
end

function M.check(what, ok)
  if not ok then
    error('not so: ' .. what, 0)
  end
end

---The text of a file; empty where there is none, or no longer: a process may end while its
---files below /proc are read.
---@return string
function M.read(path)
  local f = io.open(path, 'rb')
  if not f then
    return ''
  end
  local text = f:read('*a') or ''
  f:close()
  return text
end

---A file of the workspace as it is on the disk.
function M.on_disk(file)
  return M.read(M.workspace .. '/' .. file)
end

---The code of docs/editors.md that holds a text: a block, or a part of a line between backticks.
---@return string
function M.page(words)
  local text = M.read(assert(os.getenv('E2E_PAGE')))
  for block in text:gmatch('\n```%w*\n(.-\n)```') do
    if block:find(words, 1, true) then
      return block
    end
  end
  for code in text:gsub('\n```.-\n```', ''):gmatch('`([^`]+)`') do
    if code:find(words, 1, true) then
      return code
    end
  end
  error('docs/editors.md has no code with ' .. words)
end

---Starts Neovim by the page's lines alone, and by what shows more of it.
---@param more? string
---@param env? table<string, string>
---@param within? string[] a command that runs it
function M.neovim(file, socket, more, env, within)
  local lines = M.page("vim.lsp.enable('tandem')"):gsub('PATH/TO/tandem/editors/neovim', (os.getenv('E2E_PLUGIN'):gsub('%%', '%%%%')))
  vim.fn.writefile(vim.split(lines .. (more or ''), '\n'), M.out .. '/init.lua')
  local command = vim.list_extend({ unpack(within or {}) }, { os.getenv('E2E_CACHE') .. '/nvim/bin/nvim', '--clean', '-u', M.out .. '/init.lua', '--listen', socket, file })
  local t = M.open(command, env)
  t:connect(socket)
  return t
end

---Files that the workspace does not have: one of CR LF lines, and one of 50,000 lines.
function M.more_files()
  local function write(name, text)
    local f = assert(io.open(M.workspace .. '/' .. name, 'wb'))
    f:write(text)
    f:close()
  end
  write('crlf.go', 'package mod\r\n\r\nfunc greeting() string {\r\n\treturn "hello"\r\n}\r\n')
  local lines = { 'package mod\n' }
  for i = 0, 49999 do
    lines[#lines + 1] = ('var v%d = 1'):format(i)
  end
  write('big.go', table.concat(lines, '\n') .. '\n')
end

---The number of the line that holds a text, in a text.
function M.line_of(text, words)
  local at = assert(text:find(words, 1, true), words)
  return select(2, text:sub(1, at):gsub('\n', '')) + 1
end

---How often a server has been initialized in this run.
function M.initialized()
  return select(2, M.read(M.log):gsub('msg=initialized', ''))
end

---The server's process: the one with this run's log in its command line.
---@return integer?
function M.server_pid()
  for _, dir in ipairs(vim.fn.glob('/proc/[0-9]*', true, true)) do
    local argv = vim.split(M.read(dir .. '/cmdline'), '\0')
    if argv[2] == 'serve' and vim.list_contains(argv, M.log) then
      return tonumber(vim.fs.basename(dir))
    end
  end
end

---Runs scenarios in order, prints the result of each, and stops at the first failure.
---E2E_ONLY, a Lua pattern, chooses among those between the first and the last.
function M.scenarios(list, on_failure)
  local only = os.getenv('E2E_ONLY') or ''
  local chosen = vim.iter(ipairs(list)):filter(function(i, scenario)
    return i == 1 or scenario.always or scenario[1]:find(only)
  end):map(function(_, scenario)
    return scenario
  end)
  for scenario in chosen do
    local begin = vim.uv.hrtime()
    local ok, reason = pcall(scenario[2])
    local seconds = (vim.uv.hrtime() - begin) / 1e9
    io.stdout:write(('%-5s %s  %.1f s\n'):format(ok and 'ok' or 'FAIL', scenario[1], seconds))
    if not ok then
      io.stdout:write('      ' .. tostring(reason) .. '\n')
      pcall(on_failure)
      os.exit(1)
    end
  end
end

---@class e2e.Terminal
---@field buf integer
---@field job integer
local Terminal = {}
Terminal.__index = Terminal

---@param command string[]
---@param env? table<string, string>
function M.open(command, env)
  vim.o.columns, vim.o.lines = 110, 34
  local self = setmetatable({ buf = vim.api.nvim_create_buf(false, true) }, Terminal)
  vim.api.nvim_win_set_buf(0, self.buf)
  vim.api.nvim_buf_call(self.buf, function()
    local term = vim.tbl_extend('force', { TERM = 'xterm-256color' }, env or {})
    self.job = vim.fn.jobstart(command, { term = true, env = term, cwd = M.workspace })
  end)
  return self
end

---The text on the screen.
function Terminal:screen()
  return table.concat(vim.api.nvim_buf_get_lines(self.buf, 0, -1, false), '\n')
end

function Terminal:send(keys)
  vim.fn.chansend(self.job, keys)
end

function Terminal:shows(text)
  M.wait(('“%s” on the screen'):format(text), function()
    return self:screen():find(text, 1, true)
  end)
end

---Saves the screen to a file.
function Terminal:shot(name)
  vim.fn.writefile(vim.split(self:screen(), '\n'), ('%s/%s.txt'):format(M.out, name))
end

function Terminal:ended()
  return vim.fn.jobwait({ self.job }, timeout_ms)[1]
end

function Terminal:kill()
  vim.fn.jobstop(self.job)
end

---Connects to the Neovim that runs in the terminal.
function Terminal:connect(socket)
  self.channel = M.wait('Neovim to listen', function()
    local ok, channel = pcall(vim.fn.sockconnect, 'pipe', socket, { rpc = true })
    return ok and channel > 0 and channel
  end)
end

function Terminal:input(keys)
  M.check('no message waits for Enter', vim.rpcrequest(self.channel, 'nvim_get_mode').mode ~= 'r')
  vim.rpcrequest(self.channel, 'nvim_input', keys)
end

---Presses Enter for each message of Neovim that waits for it, which none of the plugin does. One that comes right after another waits too.
function Terminal:dismiss()
  local free = 0
  M.wait('the messages to be dismissed', function()
    local mode = vim.rpcrequest(self.channel, 'nvim_get_mode')
    if mode.mode == 'r' then
      vim.rpcrequest(self.channel, 'nvim_input', '<CR>')
    end
    free = mode.blocking and 0 or free + 1
    return free == 5
  end)
end

---Runs Lua in the Neovim under test, as soon as it does not wait for a key.
function Terminal:lua(code, ...)
  M.wait('Neovim to wait for no key', function()
    return not vim.rpcrequest(self.channel, 'nvim_get_mode').blocking
  end)
  return vim.rpcrequest(self.channel, 'nvim_exec_lua', code, { ... })
end

---What a module of the plugin draws in the buffer that is shown, besides its text: for each
---mark, by row, where it is drawn and what, such as "12 above: removed line". Prices vary.
---@param namespace string
---@return string[]
function Terminal:drawn(namespace)
  local raw = self:lua([[
    local namespace, out = vim.api.nvim_get_namespaces()[...], {}
    local function add(mark, where, chunks)
      local text = table.concat(vim.tbl_map(function(c) return c[1] end, chunks))
      table.insert(out, ('%d %s: %s'):format(mark[2] + 1, where, vim.trim(text)))
    end
    for _, mark in ipairs(namespace and vim.api.nvim_buf_get_extmarks(0, namespace, 0, -1, { details = true }) or {}) do
      local d = mark[4]
      for _, line in ipairs(d.virt_lines or {}) do add(mark, d.virt_lines_above and 'above' or 'below', line) end
      if d.virt_text then add(mark, d.virt_text_pos, d.virt_text) end
      if d.line_hl_group then add(mark, 'line', { { d.line_hl_group } }) end
      if d.sign_text then add(mark, 'sign', { { d.sign_text } }) end
    end
    table.sort(out, function(a, b) return tonumber(a:match('^%d+')) < tonumber(b:match('^%d+')) or a:match('^%d+') == b:match('^%d+') and a < b end)
    return out]], namespace)
  return vim.tbl_map(function(line)
    return (line:gsub(' · %$[%d.]+', ''))
  end, raw)
end

---Waits until a module draws this and nothing else.
---@param namespace string
---@param want string[]
function Terminal:draws(namespace, want)
  local got
  local ok = pcall(M.wait, 'it', function()
    got = self:drawn(namespace)
    return vim.deep_equal(got, want)
  end)
  M.check(('%s draws\n%s\nand not\n%s'):format(namespace, table.concat(want, '\n'), table.concat(got, '\n')), ok)
end

---The text of the buffer that is shown.
function Terminal:text()
  return table.concat(self:lua('return vim.api.nvim_buf_get_lines(0, 0, -1, false)'), '\n') .. '\n'
end

return M
