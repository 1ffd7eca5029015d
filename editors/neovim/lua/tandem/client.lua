---The server's configuration for vim.lsp: its start, its initialization options,
---and its restart after a crash.
local say = require('tandem.say')
local M = {}

local names = { 'tandem', 'tandem-copilot' }

---After this running time a server has recovered: its next crash counts as the first.
local recovered_ms = 60000
local longest_delay_ms = 30000

---@type table<string, { crashes: integer, started: number, starts?: boolean, ended?: { code: integer, signal: integer } }>
local processes = {}

---The command line of a subcommand, from the user's options only.
---@param name string
---@param ... string its own flags
---@return string[]
function M.command(name, ...)
  local o = require('tandem').options
  local out = { o.path or 'tandem', name, ... }
  for _, flag in ipairs({ 'config', 'profile' }) do
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

---The delay before the nth restart in a row: none at first, then exponential backoff.
---@param crashes integer
---@return integer milliseconds
function M.restart_delay(crashes)
  return crashes <= 1 and 0 or math.min(longest_delay_ms, 250 * 2 ^ (crashes - 1))
end

---Whether a process crashed: it did not exit normally, and nobody stopped it.
---@param code integer
---@param signal integer
---@return boolean
local function crashed(code, signal)
  return vim.v.exiting == vim.NIL and (signal ~= 0 and signal ~= 15 or signal == 0 and code > 1 and code ~= 143)
end

---@param name string
local function ended(name)
  local process = processes[name]
  local again = crashed(process.ended.code, process.ended.signal)
  process.ended = nil
  require('tandem.proposal').forget_all()
  require('tandem.streamed_edit').forget_all()
  require('tandem.status').ended()
  if not again then
    return
  end
  if vim.uv.now() - process.started > recovered_ms then
    process.crashes = 0
  end
  process.crashes = process.crashes + 1
  vim.defer_fn(function()
    vim.lsp.enable(name) -- attaches to all its buffers again
  end, M.restart_delay(process.crashes))
end

---The configuration for vim.lsp.config.
---@param name string
---@return vim.lsp.Config
function M.config(name)
  local o = require('tandem').options
  processes[name] = processes[name] or { crashes = 0, started = 0 }
  return {
    cmd = vim.list_extend(M.command('serve', '--stdio'), o.log and { '--log', o.log } or {}),
    root_markers = { '.git', '.jj', '.hg', { 'go.mod', 'package.json', 'Cargo.toml', 'pyproject.toml' } },
    capabilities = {
      experimental = { tandem = { proposals = true, status = true, tasks = true, inline = true, jumps = true, notices = true } },
    },
    before_init = function(params, config)
      processes[name].starts = true
      params.initializationOptions = {
        trusted = trusted(o, config.root_dir),
        profile = o.profile,
        settings = settings(o.editor),
      }
    end,
    handlers = {
      ['tandem/proposal'] = function(_, note, ctx)
        if note.draft then
          require('tandem.status').streams(note)
          require('tandem.streamed_edit').follow(note)
        else
          require('tandem.proposal').follow(note, ctx.client_id)
        end
      end,
      ['$/progress'] = function(err, params, ctx)
        return require('tandem.partial').progress(err, params, ctx)
      end,
      ['tandem/status'] = function(_, status)
        require('tandem.status').follow(status)
      end,
      ['window/showMessage'] = function(_, shown)
        say(shown.message, ({ vim.log.levels.ERROR, vim.log.levels.WARN })[shown.type])
      end,
      ['tandem/notice'] = function(_, note)
        local mends = note.uri and (':edit +%d %s'):format(math.max(note.line, 1), vim.uri_to_fname(note.uri))
          or note.provider ~= '' and ':Tandem setup ' .. note.provider
          or note.setUp and ':Tandem setup'
        say(note.message .. (mends and '\n' .. mends or ''), vim.log.levels.WARN)
      end,
      ['tandem/task'] = function(_, task)
        require('tandem.status').task(task)
        require('tandem.tasks').follow(task)
      end,
      ['tandem/inlineReady'] = function(_, ready)
        require('tandem.inline').ready(ready)
      end,
      ['tandem/inlineMark'] = function(_, mark)
        require('tandem.inline').mark(mark)
      end,
      ['didChangeStatus'] = function() end, -- for other plugins; tandem/status contains more
    },
    on_init = function(client)
      processes[name].started, processes[name].starts = vim.uv.now(), nil
      require('tandem.status').others(client, true)
      vim.api.nvim_create_autocmd('LspDetach', {
        group = vim.api.nvim_create_augroup('tandem.crash:' .. name, {}),
        callback = function(event)
          local how = event.data.client_id == client.id and processes[name].ended
          if how and crashed(how.code, how.signal) then
            require('tandem.stand_in').begin(event.buf) -- while the client is attached: a key may follow at once
          end
        end,
      })
      vim.api.nvim_create_autocmd({ 'LspAttach', 'LspDetach' }, {
        group = vim.api.nvim_create_augroup('tandem.others', {}),
        callback = vim.schedule_wrap(function()
          if not client:is_stopped() then
            require('tandem.status').others(client)
          end
        end),
      })
    end,
    on_attach = function(client, buf)
      require('tandem.stand_in').finish(buf)
      require('tandem.next_edit').attach(client, buf)
      require('tandem.references').attach(client, buf)
      require('tandem.diagnostics').attach(client, buf)
    end,
    on_exit = function(code, signal)
      processes[name].ended, processes[name].starts = { code = code, signal = signal }, nil
      vim.schedule(function()
        ended(name)
      end)
    end,
  }
end

---The client that serves a buffer, under either name.
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

---Continues with the server, at once or as soon as it has started.
---@param buf? integer whose server is preferred
---@param go_on fun(client: vim.lsp.Client)
function M.with(buf, go_on)
  local client = M.get(buf) or M.get()
  if client then
    return go_on(client)
  end
  if not vim.iter(names):any(function(name)
    return (processes[name] or {}).starts
  end) then
    return say('no server runs: open a file. :checkhealth tandem', vim.log.levels.WARN)
  end
  vim.api.nvim_create_autocmd('LspAttach', {
    callback = function()
      client = M.get(buf) or M.get()
      if client then
        vim.schedule(function()
          go_on(client)
        end)
      end
      return client ~= nil
    end,
  })
end

---Tells the server that a key was stored.
function M.keys_changed()
  local client = M.get()
  if client then
    client:notify('workspace/didChangeConfiguration', { settings = vim.NIL })
  end
end

---Shows why a request failed, unless a notice has just said it.
---@param err lsp.ResponseError
function M.failed(err)
  if type(err.data) ~= 'table' or not err.data.shown then
    say(err.message, vim.log.levels.ERROR)
  end
end

---Sends a request; an error is shown with the server's message.
---@param method string
---@param params table
---@param done? fun(result: any)
---@param buf? integer not 0: Neovim sends pending changes of a buffer that is named by its number
function M.request(method, params, done, buf)
  M.with(buf, function(client)
    client:request(method, params, function(err, result)
      if err then
        M.failed(err)
      elseif done then
        done(result)
      end
    end, buf)
  end)
end

---Accepts a proposal or a part of it. What failed its checks is applied only if the user
---says so.
---@param params { id: string, step?: integer, file?: string, force?: boolean }
---@param done? fun(result: any)
---@param buf? integer
function M.accept(params, done, buf)
  M.with(buf, function(client)
    client:request('tandem/resolve', vim.tbl_extend('force', params, { action = 'accept' }), function(err, result)
      if not err then
        return done and done(result)
      elseif type(err.data) ~= 'table' or err.data.code ~= 'failed_checks' then
        return M.failed(err)
      end
      vim.ui.select({ 'Leave it', 'Apply anyway' }, { prompt = 'tandem: ' .. err.message }, function(_, choice)
        if choice == 2 then
          M.accept(vim.tbl_extend('force', params, { force = true }), done, buf)
        end
      end)
    end, buf)
  end)
end

---Runs one of the server's commands; its arguments are one table.
---@param name string without the "tandem."
---@param args table
---@param done? fun(result: any)
function M.execute(name, args, done)
  local arguments = { next(args) == nil and vim.empty_dict() or args }
  M.request('workspace/executeCommand', { command = 'tandem.' .. name, arguments = arguments }, done, vim.api.nvim_get_current_buf())
end

return M
