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

local namespace = vim.api.nvim_create_namespace('tandem.inline')

---A suggestion that is not shown, with editor.show = 'subtle': a dimmed mark stands for it until the cursor moves.
---@param mark { uri: string, version: integer, position: lsp.Position }
function M.mark(mark)
  local buf = vim.uri_to_bufnr(mark.uri)
  local current = buf == vim.api.nvim_get_current_buf() and vim.lsp.util.buf_versions[buf] == mark.version
  if not current or not vim.startswith(vim.api.nvim_get_mode().mode, 'i') then
    return
  end
  local cursor = vim.api.nvim_win_get_cursor(0)
  vim.api.nvim_buf_clear_namespace(buf, namespace, 0, -1)
  vim.api.nvim_buf_set_extmark(buf, namespace, cursor[1] - 1, cursor[2], { virt_text = { { ' …', 'ComplHint' } }, virt_text_pos = 'inline' })
  vim.api.nvim_create_autocmd({ 'CursorMovedI', 'TextChangedI', 'InsertLeave' }, {
    group = vim.api.nvim_create_augroup('tandem.inline', {}),
    buffer = buf,
    callback = function()
      vim.api.nvim_buf_clear_namespace(buf, namespace, 0, -1)
      return true
    end,
  })
end

---Shows what the mark stands for.
---@return boolean shown false if there is no mark
function M.show()
  local buf = vim.api.nvim_get_current_buf()
  if #vim.api.nvim_buf_get_extmarks(buf, namespace, 0, -1, { limit = 1 }) == 0 then
    return false
  end
  vim.api.nvim_buf_clear_namespace(buf, namespace, 0, -1)
  for _, client in ipairs(vim.lsp.get_clients({ bufnr = buf, method = 'textDocument/inlineCompletion' })) do
    if vim.startswith(client.name, 'tandem') then
      client:request('workspace/executeCommand', { command = 'tandem.showSuggestion', arguments = { { uri = vim.uri_from_bufnr(buf) } } }, nil, buf)
    end
  end
  return true
end

return M
