---Ghost text, on top of vim.lsp.inline_completion, which requests and shows it.
local M = {}

---Starts a new undo step, so that undo removes the accepted text and nothing typed.
local function break_undo()
  vim.cmd('let &g:undolevels = &g:undolevels')
end

---Accepts the ghost text that is shown.
---@return boolean accepted
function M.accept()
  return vim.lsp.inline_completion.get({
    on_accept = function(item)
      break_undo()
      vim.schedule(break_undo)
      return item
    end,
  })
end

---The server has a better suggestion than its last one: request again, if text and cursor have not changed.
---@param ready { uri: string, version: integer }
function M.ready(ready)
  local buf = vim.uri_to_bufnr(ready.uri)
  local current = buf == vim.api.nvim_get_current_buf() and vim.lsp.util.buf_versions[buf] == ready.version
  if not current or not vim.startswith(vim.api.nvim_get_mode().mode, 'i') then
    return
  end
  -- Neovim requests when the cursor moves, so trigger that event for Neovim's own group only.
  local group = ('nvim.lsp.inline_completion:%d'):format(buf)
  if not pcall(vim.api.nvim_exec_autocmds, 'CursorMovedI', { group = group, buffer = buf }) then
    vim.api.nvim_exec_autocmds('CursorMovedI', { buffer = buf })
  end
end

return M
