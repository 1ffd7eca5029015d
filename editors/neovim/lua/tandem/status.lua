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
  local cost = status.costUSD >= 0.005 and (' $%.2f'):format(status.costUSD) or ''
  return name .. cost .. work()
end

return M
