---The server's current work, for the status line.
local M = {}

---@class tandem.Lane
---@field provider string
---@field model string
---@field servedModel string
---@field state string
---@field usedPercent number

---@class tandem.Status
---@field busy boolean
---@field lanes table<string, tandem.Lane>
---@field index { files: integer, ready: boolean }
---@field costUSD number
---@field reason string
---@field mistake? string in the configuration

---@type tandem.Status?
local status
---@type tandem.Proposal?
local stream
---@type table<string, { id: string, title: string, state: string, steps: { title: string, state: string }[] }>
local tasks = {}

local ended_states = { done = true, failed = true, cancelled = true, interrupted = true }

local function changed()
  vim.api.nvim_exec_autocmds('User', { pattern = 'TandemStatus' })
  vim.cmd.redrawstatus()
end

---@param new tandem.Status
function M.follow(new)
  status = new
  changed()
end

---@param p tandem.Proposal
function M.streams(p)
  stream = (p.state == 'streaming' or p.state == 'checking') and p or nil
  changed()
end

---@param t { id: string, title: string, state: string, steps: table[], proposalId?: string, error?: string }
function M.task(t)
  tasks[t.id] = not ended_states[t.state] and t or nil
  changed()
end

---The server has ended, and so has its work.
function M.ended()
  status, stream, tasks = nil, nil, {}
  changed()
end

---What the server was last sent by M.others.
local sent_others = ''

---@return string[]
local function other_providers()
  local names = {}
  for _, other in ipairs(vim.lsp.get_clients({ method = 'textDocument/inlineCompletion' })) do
    if not vim.startswith(other.name, 'tandem') and not vim.list_contains(names, other.name) then
      names[#names + 1] = other.name
    end
  end
  if vim.g.loaded_copilot == 1 and vim.g.copilot_enabled ~= 0 then
    names[#names + 1] = 'copilot.vim'
  end
  for module, name in pairs({ ['copilot.suggestion'] = 'copilot.lua', ['supermaven-nvim'] = 'supermaven', codeium = 'codeium' }) do
    if package.loaded[module] then
      names[#names + 1] = name
    end
  end
  return names
end

---Names the other providers of inline completions to the server: only the editor knows them.
---@param client vim.lsp.Client
---@param fresh? boolean the server has just started
function M.others(client, fresh)
  local names = other_providers()
  local now = table.concat(names, '\n')
  if now ~= (fresh and '' or sent_others) then
    client:notify('tandem/didChangeOtherInline', { providers = names })
  end
  sent_others = now
end

---@return string
local function work()
  for _, t in pairs(tasks) do
    for i, step in ipairs(t.steps) do
      if step.state == 'running' then
        return (' [%d/%d %s]'):format(i, #t.steps, step.title)
      end
    end
    return (' [%s]'):format(t.state)
  end
  if stream then
    return ' [' .. stream.state .. ']'
  end
  return status and status.busy and ' […]' or ''
end

---@return string
function M.line()
  if not status then
    return require('tandem.client').get() and 'tandem' or ''
  end
  local fast = status.lanes.fast or {}
  local name = fast.model and fast.model ~= '' and fast.model or 'tandem'
  if status.mistake then
    name = name .. ' (config.toml has a mistake)'
  end
  local cost = status.costUSD >= 0.005 and (' $%.2f'):format(status.costUSD) or ''
  return name .. cost .. work()
end

return M
