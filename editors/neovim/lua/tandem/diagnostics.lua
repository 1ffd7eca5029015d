---What compilers and linters report about a buffer, for the server: the differences,
---after a pause. An error that the user has just caused is the first next edit.
local M = {}

local pause_ms = 250
local most = 200

---@class (private) tandem.Diagnosed
---@field timer uv.uv_timer_t
---@field sent table<string, lsp.Diagnostic>

---@type table<integer, tandem.Diagnosed>
local active = {}

---@param client vim.lsp.Client
---@param buf integer
---@return table<string, lsp.Diagnostic>
local function current(client, buf)
  local out = {}
  for i, d in ipairs(vim.diagnostic.get(buf)) do
    if i > most then
      break
    end
    local function at(lnum, col)
      local line = vim.api.nvim_buf_get_lines(buf, lnum, lnum + 1, false)[1] or ''
      return { line = lnum, character = vim.str_utfindex(line, client.offset_encoding, math.min(col, #line), false) }
    end
    local wire = {
      range = { start = at(d.lnum, d.col), ['end'] = at(d.end_lnum or d.lnum, d.end_col or d.col) },
      severity = d.severity,
      code = d.code,
      source = d.source,
      message = d.message,
    }
    out[vim.json.encode(wire)] = wire
  end
  return out
end

---@param from table<string, lsp.Diagnostic>
---@param without table<string, lsp.Diagnostic>
local function difference(from, without)
  local out = {}
  for key, d in pairs(from) do
    if not without[key] then
      out[#out + 1] = d
    end
  end
  return #out > 0 and out or nil
end

---@param client_id integer
---@param buf integer
local function send(client_id, buf)
  local client, self = vim.lsp.get_client_by_id(client_id), active[buf]
  if not client or not self or not vim.api.nvim_buf_is_valid(buf) then
    return
  end
  local now = current(client, buf)
  local added, removed = difference(now, self.sent), difference(self.sent, now)
  self.sent = now
  if added or removed then
    client:notify('tandem/didChangeDiagnostics', {
      textDocument = { uri = vim.uri_from_bufnr(buf), version = vim.lsp.util.buf_versions[buf] },
      added = added,
      removed = removed,
    })
  end
end

---@param client vim.lsp.Client
---@param buf integer
function M.attach(client, buf)
  if active[buf] then
    active[buf].timer:close()
  end
  local self = { timer = assert(vim.uv.new_timer()), sent = {} }
  active[buf] = self
  local group = vim.api.nvim_create_augroup('tandem.diagnostics:' .. buf, { clear = true })
  vim.api.nvim_create_autocmd('DiagnosticChanged', {
    group = group,
    buffer = buf,
    callback = function()
      self.timer:start(pause_ms, 0, vim.schedule_wrap(function()
        send(client.id, buf)
      end))
    end,
  })
  vim.api.nvim_create_autocmd({ 'BufUnload', 'LspDetach' }, {
    group = group,
    buffer = buf,
    callback = function()
      if active[buf] == self then
        active[buf] = nil
        self.timer:close()
        pcall(vim.api.nvim_del_augroup_by_id, group)
      end
    end,
  })
end

return M
