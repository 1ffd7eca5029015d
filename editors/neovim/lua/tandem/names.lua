---Follows buffers whose name changes (:file, :saveas). Neovim tells a server so when the
---buffer is written, and detects no language of a name that was given later: until then the
---server would be asked about a document that it does not know.
local M = {}

---Clients to be attached again under the new name.
---@type table<integer, integer[]>
local detached = {}

---@return boolean
local function serves(client)
  return client.name == 'tandem' or client.name == 'tandem-copilot'
end

function M.follow()
  local group = vim.api.nvim_create_augroup('tandem.names', {})
  vim.api.nvim_create_autocmd('BufFilePre', {
    group = group,
    callback = function(event)
      detached[event.buf] = vim.iter(vim.lsp.get_clients({ bufnr = event.buf })):filter(serves):map(function(client)
        vim.lsp.buf_detach_client(event.buf, client.id)
        return client.id
      end):totable()
    end,
  })
  vim.api.nvim_create_autocmd('BufFilePost', {
    group = group,
    callback = function(event)
      for _, id in ipairs(detached[event.buf] or {}) do
        vim.lsp.buf_attach_client(event.buf, id)
      end
      detached[event.buf] = nil
      local bo = vim.bo[event.buf]
      if bo.filetype == '' and bo.buftype == '' and (vim.lsp.is_enabled('tandem') or vim.lsp.is_enabled('tandem-copilot')) then
        vim.api.nvim_buf_call(event.buf, function()
          vim.cmd('silent! filetype detect')
        end)
      end
    end,
  })
end

return M
