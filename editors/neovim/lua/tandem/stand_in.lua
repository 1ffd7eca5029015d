---Takes the place of a server that has crashed until it runs again. Neovim stops following
---a buffer for good when its text changes while no client is attached to it: the server
---that comes back would keep the text of its start.
local M = {}

local name = 'tandem-stand-in'

---A server inside Neovim that does nothing.
---@param dispatchers vim.lsp.rpc.Dispatchers
---@return vim.lsp.rpc.PublicClient
local function idle(dispatchers)
  local closing = false
  local function close()
    if not closing then
      closing = true
      dispatchers.on_exit(0, 0)
    end
  end
  return {
    request = function(method, _, callback)
      callback(nil, method == 'initialize' and { capabilities = {} } or vim.NIL)
      return true, 1
    end,
    notify = function(method)
      if method == 'exit' then
        close()
      end
      return true
    end,
    is_closing = function()
      return closing
    end,
    terminate = close,
  }
end

---Begins to stand in for the server of a buffer.
---@param buf integer
function M.begin(buf)
  if vim.api.nvim_buf_is_loaded(buf) then
    vim.lsp.start({ name = name, cmd = idle }, { bufnr = buf })
  end
end

---The server is attached to a buffer again.
---@param buf integer
function M.finish(buf)
  for _, client in ipairs(vim.lsp.get_clients({ name = name, bufnr = buf })) do
    vim.lsp.buf_detach_client(buf, client.id)
    if next(client.attached_buffers) == nil then
      client:stop(true)
    end
  end
end

return M
