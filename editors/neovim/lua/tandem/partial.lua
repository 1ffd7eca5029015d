---The parts of a result that the server sends while it works on a request of tandem.
local M = {}

---Handlers of the parts of running requests, by their token.
---@type table<string, fun(value: table)>
local parts = {}
local next_token = 0

---Handles $/progress: the parts of tandem's requests; the rest is Neovim's.
function M.progress(err, params, ctx)
  local handle = params and parts[params.token]
  if handle then
    handle(params.value)
  else
    vim.lsp.handlers['$/progress'](err, params, ctx)
  end
end

---A token for the parts of a request.
---@param handle fun(value: table)
---@return string token
---@return fun() forget
function M.token(handle)
  next_token = next_token + 1
  local token = 'tandem-part-' .. next_token
  parts[token] = handle
  return token, function()
    parts[token] = nil
  end
end

---The server has ended: no part will come.
function M.forget_all()
  parts = {}
end

return M
