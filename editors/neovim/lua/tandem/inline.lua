---Ghost text, on top of vim.lsp.inline_completion, which asks and shows.
local M = {}

---Starts a new undo step, so that undoing takes back what is accepted and nothing typed.
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

---The server has a better suggestion than the one it gave: ask again, if nothing has moved.
---@param ready { uri: string, version: integer }
function M.ready(ready)
  local buf = vim.uri_to_bufnr(ready.uri)
  local current = buf == vim.api.nvim_get_current_buf() and vim.lsp.util.buf_versions[buf] == ready.version
  if not current or not vim.startswith(vim.api.nvim_get_mode().mode, 'i') then
    return
  end
  -- Neovim asks when the cursor moves; its own group alone is told that it has.
  local group = ('nvim.lsp.inline_completion:%d'):format(buf)
  if not pcall(vim.api.nvim_exec_autocmds, 'CursorMovedI', { group = group, buffer = buf }) then
    vim.api.nvim_exec_autocmds('CursorMovedI', { buffer = buf })
  end
end

return M
