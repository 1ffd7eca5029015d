---The functions that users call. :Tandem offers everything else.
local M = {}

---Settings. The server's settings are in :help tandem-settings.
---@class tandem.Options
---@field path? string the tandem program; found on PATH otherwise
---@field config? string the configuration file to use
---@field profile? string the profile to start with
---@field offline? boolean the built-in engine alone
---@field log? string a file for the server's log
---@field editor? table<string, any> the [editor] settings: enabled, trigger, debounce_ms, …
---@field trusted? boolean|fun(root?: string): boolean whether deep tasks may run in a folder (true)
---@field edit_keys? boolean map keys in a buffer while an edit in it waits for the user (true)
---@field next_edits? boolean|'quiet' ask for the edit that comes next after each change (true); 'quiet' shows an indicator, and the edit on a key

---@type tandem.Options
M.options = {}

---@param options? tandem.Options
function M.setup(options)
  vim.validate('options', options, 'table', true)
  M.options = options or {}
  for _, name in ipairs({ 'tandem', 'tandem-copilot' }) do
    vim.lsp.config(name, require('tandem.client').config(name))
  end
end

---Accepts the ghost text, else the next edit: jumps to it first, applies it then.
---False if there is neither, so that the key can keep its usual function:
---
---```lua
---vim.keymap.set('i', '<Tab>', function()
---  return require('tandem').accept() and '' or '<Tab>'
---end, { expr = true })
---```
---@return boolean
function M.accept()
  return require('tandem.inline').accept() or require('tandem.next_edit').accept()
end

---A text for the status line: the model that answers, and whether it is working.
---@return string
function M.statusline()
  return require('tandem.status').line()
end

return M
