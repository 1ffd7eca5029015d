---The server as vim.lsp knows it: how it is started, what it is told, and that
---it comes back after a crash.
local M = {}

local names = { 'tandem', 'tandem-copilot' }

---A server that ran for so long has recovered: the next crash counts as the first.
local recovered_ms = 60000
local longest_pause_ms = 30000

---@type table<string, { crashes: integer, started: number }>
local lives = {}

---The command line, from the user's options alone.
---@param o tandem.Options
---@return string[]
local function command(o)
  local out = { o.path or 'tandem', 'serve', '--stdio' }
  for _, flag in ipairs({ 'config', 'profile', 'log' }) do
    if o[flag] then
      vim.list_extend(out, { '--' .. flag, o[flag] })
    end
  end
  if o.offline then
    out[#out + 1] = '--offline'
  end
  return out
end

---The [editor] settings by their dotted names.
---@param editor? table<string, any>
---@return table<string, any>
local function settings(editor)
  local out = vim.empty_dict()
  for name, value in pairs(editor or {}) do
    out['editor.' .. name] = value
  end
  return out
end

---@param o tandem.Options
---@param root? string
---@return boolean
local function trusted(o, root)
  if type(o.trusted) == 'function' then
    return o.trusted(root)
  end
  return o.trusted ~= false
end

---How long to wait before the nth restart in a row: not at first, then longer and longer.
---@param crashes integer
---@return integer milliseconds
function M.restart_pause(crashes)
  return crashes <= 1 and 0 or math.min(longest_pause_ms, 250 * 2 ^ (crashes - 1))
end

---Whether a process ended by itself: neither well nor because somebody stopped it.
---@param code integer
---@param signal integer
---@return boolean
local function crashed(code, signal)
  return vim.v.exiting == vim.NIL and (signal ~= 0 and signal ~= 15 or signal == 0 and code > 1 and code ~= 143)
end

---@param name string
---@param code integer
---@param signal integer
local function ended(name, code, signal)
  require('tandem.proposal').forget_all()
  require('tandem.status').ended()
  if not crashed(code, signal) then
    return
  end
  local life = lives[name]
  if vim.uv.now() - life.started > recovered_ms then
    life.crashes = 0
  end
  life.crashes = life.crashes + 1
  vim.defer_fn(function()
    vim.lsp.enable(name) -- attaches to every buffer that it was in
  end, M.restart_pause(life.crashes))
end

---What vim.lsp.config takes.
---@param name string
---@return vim.lsp.Config
function M.config(name)
  local o = require('tandem').options
  lives[name] = lives[name] or { crashes = 0, started = 0 }
  return {
    cmd = command(o),
    root_markers = { '.git', '.jj', '.hg', { 'go.mod', 'package.json', 'Cargo.toml', 'pyproject.toml' } },
    capabilities = {
      experimental = { tandem = { proposals = true, status = true, tasks = true, inline = true } },
    },
    before_init = function(params, config)
      params.initializationOptions = {
        trusted = trusted(o, config.root_dir),
        profile = o.profile,
        settings = settings(o.editor),
      }
    end,
    handlers = {
      ['tandem/proposal'] = function(_, note, ctx)
        require('tandem.proposal').follow(note, ctx.client_id)
      end,
      ['tandem/status'] = function(_, status)
        require('tandem.status').follow(status)
      end,
      ['tandem/task'] = function(_, task)
        require('tandem.status').task(task)
      end,
      ['tandem/inlineReady'] = function(_, ready)
        require('tandem.inline').ready(ready)
      end,
      ['didChangeStatus'] = function() end, -- for other plugins; tandem/status says more
    },
    on_init = function()
      lives[name].started = vim.uv.now()
    end,
    on_attach = function(client, buf)
      require('tandem.next_edit').attach(client, buf)
    end,
    on_exit = function(code, signal)
      vim.schedule(function()
        ended(name, code, signal)
      end)
    end,
  }
end

---The client that serves a buffer, under whichever name.
---@param buf? integer
---@return vim.lsp.Client?
function M.get(buf)
  for _, name in ipairs(names) do
    local client = vim.lsp.get_clients({ name = name, bufnr = buf })[1]
    if client then
      return client
    end
  end
end

---Asks the server; what goes wrong is told in its own sentence.
---@param method string
---@param params table
---@param done? fun(result: any)
---@param buf? integer
function M.request(method, params, done, buf)
  local client = M.get(buf) or M.get()
  if not client then
    return vim.notify('tandem: no server runs. :checkhealth tandem', vim.log.levels.WARN)
  end
  client:request(method, params, function(err, result)
    if err then
      vim.notify('tandem: ' .. err.message, vim.log.levels.ERROR)
    elseif done then
      done(result)
    end
  end, buf)
end

---Runs one of the server's commands; its arguments are one table.
---@param name string without the "tandem."
---@param args table
---@param done? fun(result: any)
function M.execute(name, args, done)
  local arguments = { next(args) == nil and vim.empty_dict() or args }
  M.request('workspace/executeCommand', { command = 'tandem.' .. name, arguments = arguments }, done, 0)
end

return M
