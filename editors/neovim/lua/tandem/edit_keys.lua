---The keys for a streamed edit: mapped in its buffer while it waits for the user, unless
---the user has mapped them.
local M = {}

local keys = {
  { '<LocalLeader>a', 'accept', 'accept the edit' },
  { '<LocalLeader>r', 'reject', 'reject the edit' },
  { '<LocalLeader>y', 'accept-change', 'accept this change' },
  { '<LocalLeader>u', 'reject-change', 'reject this change' },
  { '<LocalLeader>t', 'again', 'try again' },
  { '<LocalLeader>d', 'deeper', 'ask the deep model' },
  { '<LocalLeader>n', 'alternatives', 'another answer' },
  { '<LocalLeader>s', 'steer', 'steer' },
  { ']e', 'next-change', 'go to the next change' },
  { '[e', 'previous-change', 'go to the previous change' },
}

---@type table<integer, string[]>
local mapped = {}

---@param buf integer
function M.add(buf)
  if mapped[buf] or require('tandem').options.edit_keys == false then
    return
  end
  mapped[buf] = {}
  vim.api.nvim_buf_call(buf, function()
    for _, key in ipairs(keys) do
      local lhs, action, desc = unpack(key)
      if vim.fn.maparg(lhs, 'n') == '' then
        vim.keymap.set('n', lhs, '<Cmd>Tandem ' .. action .. '<CR>', { buffer = buf, desc = 'tandem: ' .. desc })
        table.insert(mapped[buf], lhs)
      end
    end
  end)
end

---@param buf integer
function M.remove(buf)
  for _, lhs in ipairs(mapped[buf] or {}) do
    pcall(vim.keymap.del, 'n', lhs, { buffer = buf })
  end
  mapped[buf] = nil
end

return M
