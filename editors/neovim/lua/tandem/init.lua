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
---@return boolean done false if there is neither, so that a key can keep its usual function
function M.accept()
  return require('tandem.inline').accept() or require('tandem.next_edit').accept()
end

---Shows the ghost text that a mark stands for, with editor.show = 'subtle'.
---@return boolean shown false if there is no mark, so that a key can keep its usual function
function M.show()
  return require('tandem.inline').show()
end

---The keys of a <Tab> that accepts. Where a snippet has a next placeholder or an entry of
---the completion menu is selected, and where there is nothing to accept, it does what it
---does without tandem:
---
---```lua
---vim.keymap.set({ 'i', 'n' }, '<Tab>', require('tandem').tab, { expr = true })
---```
---@return string
function M.tab()
  if vim.snippet.active({ direction = 1 }) then
    return '<Cmd>lua vim.snippet.jump(1)<CR>'
  elseif vim.fn.pumvisible() == 1 and vim.fn.complete_info({ 'selected' }).selected >= 0 then
    return '<Tab>'
  end
  return M.accept() and '' or '<Tab>'
end

---A text for the status line: the model that answers, and whether it is working.
---@return string
function M.statusline()
  return require('tandem.status').line()
end

return M
