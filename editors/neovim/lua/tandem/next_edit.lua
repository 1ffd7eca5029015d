---The next edit, away from the cursor: requested after a change and shown at its
---place. The first key press jumps to it, also into another file, the second applies
---it. With next_edits = 'quiet' only an indicator is shown, and the edit on a key.
local drawn = require('tandem.drawn')
local say = require('tandem.say')
local M = {}

local namespace = vim.api.nvim_create_namespace('tandem.next_edit')
local method = 'textDocument/copilotInlineEdit'
local debounce_ms = 300
---How long after a step the key that accepts waits for the next one.
local step_ms = 500

---@class tandem.Edit
---@field text string
---@field range lsp.Range
---@field textDocument { uri: string, version: integer }
---@field targetLine? integer in another file
---@field command lsp.Command
---@field jump? string the error at a place where nothing is written
---@field title? string what it is of, and which place: "Rename a to b: 2 of 7"

---One buffer's next edit. It owns its autocommand group and ends with the client.
---@class (private) tandem.NextEdit
---@field buf integer
---@field client_id integer
---@field group integer
---@field timer? uv.uv_timer_t
---@field pending? integer the running request
---@field edit? tandem.Edit
---@field revealed? boolean a quiet edit is shown
---@field expected? integer until when the key that accepts is for the edit after the last one
---@field applied? integer the buffer's tick after a step
---@field again? boolean that key was pressed before the edit was there
local NextEdit = {}
NextEdit.__index = NextEdit

---@type table<integer, tandem.NextEdit>
local active = {}

---Edits that the cursor has jumped to in a buffer that has no client yet; false: the next one is asked for there.
---@type table<integer, tandem.Edit|false>
local carried = {}

---@param client vim.lsp.Client
---@param buf integer
function M.attach(client, buf)
  if active[buf] then
    active[buf]:destroy()
  end
  local used_by_plugin = client.name ~= 'tandem' -- the other name is for a plugin that requests next edits itself
  if require('tandem').options.next_edits == false or used_by_plugin then
    return
  end
  local self = setmetatable({ buf = buf, client_id = client.id }, NextEdit)
  self.group = vim.api.nvim_create_augroup('tandem.next_edit:' .. buf, { clear = true })
  local function on(events, callback)
    vim.api.nvim_create_autocmd(events, { group = self.group, buffer = buf, callback = callback })
  end
  local function own()
    return self.applied == vim.api.nvim_buf_get_changedtick(buf)
  end
  on({ 'TextChanged', 'InsertLeave' }, function(event)
    if event.event == 'TextChanged' and own() then
      return
    end
    if not require('tandem.streamed_edit').busy(buf) then
      self:later()
    end
  end)
  on('TextChangedI', function()
    if own() then
      return
    elseif self.edit then -- the server keeps an edit that is being typed along, so it is asked for at once
      self:hide()
      self:request()
    else
      self:hide()
    end
  end)
  on('InsertEnter', function()
    self:hide()
  end)
  on({ 'BufUnload', 'LspDetach' }, function()
    self:destroy()
  end)
  active[buf] = self
  local edit = carried[buf]
  carried[buf] = nil
  if edit then
    self:arrive(client, edit)
  elseif edit == false then
    self:step()
  end
end

function NextEdit:destroy()
  self:hide()
  if self.timer then
    self.timer:close()
    self.timer = nil
  end
  pcall(vim.api.nvim_del_augroup_by_id, self.group)
  active[self.buf] = nil
end

function NextEdit:hide()
  self.edit, self.revealed, self.expected, self.again = nil, nil, nil, nil
  if self.timer then
    self.timer:stop()
  end
  local client = vim.lsp.get_client_by_id(self.client_id)
  if client and self.pending then
    client:cancel_request(self.pending)
  end
  self.pending = nil
  if vim.api.nvim_buf_is_valid(self.buf) then
    vim.api.nvim_buf_clear_namespace(self.buf, namespace, 0, -1)
  end
end

function NextEdit:later()
  self:hide()
  self.timer = self.timer or assert(vim.uv.new_timer())
  self.timer:start(debounce_ms, 0, vim.schedule_wrap(function()
    self:request()
  end))
end

function NextEdit:request()
  local client = vim.lsp.get_client_by_id(self.client_id)
  local shown = vim.api.nvim_buf_is_valid(self.buf) and vim.api.nvim_get_current_buf() == self.buf
  if not client or not shown then
    return
  end
  local params = vim.lsp.util.make_position_params(0, client.offset_encoding) --[[@as table]]
  params.textDocument.version = vim.lsp.util.buf_versions[self.buf]
  local _, id = client:request(method, params, function(err, result)
    self.pending = nil
    local edit = not err and result and result.edits[1]
    if edit then
      self:show(client, edit)
    end
    self:arrived()
  end, self.buf)
  self.pending = id
end

---Asks for what follows a step. For a moment the key that accepts is for that.
function NextEdit:step()
  self:hide()
  self.expected = vim.uv.now() + step_ms
  self:request()
end

---Does what the key was pressed for while the answer was on its way.
function NextEdit:arrived()
  local again = self.again
  self.expected, self.again = nil, nil
  if again and self.edit then
    M.accept()
  elseif again then
    vim.api.nvim_feedkeys(vim.keycode('<Tab>'), 'n', false)
  end
end

---@param client vim.lsp.Client
---@param edit tandem.Edit
function NextEdit:show(client, edit)
  local here = vim.uri_to_bufnr(edit.textDocument.uri) == self.buf
  if here and edit.textDocument.version ~= vim.lsp.util.buf_versions[self.buf] then
    return -- the text has changed
  elseif require('tandem.streamed_edit').busy(self.buf) then
    return
  end
  self.edit = edit
  if require('tandem').options.next_edits == 'quiet' and not self.revealed then
    return drawn.hint(namespace, vim.api.nvim_win_get_cursor(0)[1] - 1, 'tandem: next edit', '…')
  end
  local seen = here and edit.range.start.line + 1 >= vim.fn.line('w0') and edit.range.start.line < vim.fn.line('w$')
  local where = ''
  if not seen then
    local name = here and 'line ' or vim.fn.fnamemodify(vim.uri_to_fname(edit.textDocument.uri), ':t') .. ':'
    where = (' at %s%d'):format(name, edit.range.start.line + 1)
  end
  local count = (edit.title or ''):match('%d+ of %d+$')
  if edit.jump then
    where = (' at %s'):format(where == '' and 'line ' .. edit.range.start.line + 1 or where:sub(5)) .. ': ' .. vim.split(edit.jump, '\n')[1]
  elseif here then
    self:mark(client, edit)
  end
  if count then
    where = where .. ' (' .. count .. ')'
  end
  local cursor = vim.api.nvim_win_get_cursor(0)[1] - 1
  local sign = (seen or not here) and '→' or edit.range.start.line > cursor and '↓' or '↑'
  drawn.hint(namespace, seen and edit.range.start.line or cursor, 'tandem: next edit' .. where, sign)
  client:notify('textDocument/didShowInlineEdit', { item = { command = edit.command } })
end

---Marks the lines to replace and shows the new lines below them.
---@param client vim.lsp.Client
---@param edit tandem.Edit
function NextEdit:mark(client, edit)
  drawn.above(self.buf, namespace, edit.range['end'].line + 1, drawn.lines(self.buf, self:lines(client, edit), 'DiffAdd'))
  for row = edit.range.start.line, edit.range['end'].line do
    vim.api.nvim_buf_set_extmark(self.buf, namespace, row, 0, { line_hl_group = 'DiffChange' })
  end
end

---The lines after the edit.
---@param client vim.lsp.Client
---@param edit tandem.Edit
---@return string[]
function NextEdit:lines(client, edit)
  local first, last = edit.range.start.line, edit.range['end'].line
  local scratch = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_lines(scratch, 0, -1, false, vim.api.nvim_buf_get_lines(self.buf, first, last + 1, false))
  local range = vim.deepcopy(edit.range)
  range.start.line, range['end'].line = 0, last - first
  vim.lsp.util.apply_text_edits({ { range = range, newText = edit.text } }, scratch, client.offset_encoding)
  local out = vim.api.nvim_buf_get_lines(scratch, 0, -1, false)
  vim.api.nvim_buf_delete(scratch, { force = true })
  return out
end

---Shows an edit that the cursor has jumped to in this buffer.
---@param client vim.lsp.Client
---@param edit tandem.Edit
function NextEdit:arrive(client, edit)
  self:hide()
  edit.textDocument.version = vim.lsp.util.buf_versions[self.buf]
  self.revealed = true
  self:show(client, edit)
end

---Reveals the next edit, jumps to it, or applies it if the cursor is already there.
---@return boolean done
function M.accept()
  local self = active[vim.api.nvim_get_current_buf()]
  local edit = self and self.edit
  if self and not edit and self.expected and vim.uv.now() < self.expected then
    self.again = true
    return true
  end
  if not self or not edit then
    return false
  end
  local client = vim.lsp.get_client_by_id(self.client_id)
  if not client then
    return false
  end
  vim.schedule(function()
    local target = vim.uri_to_bufnr(edit.textDocument.uri)
    local at = vim.api.nvim_win_get_cursor(0)[1] - 1
    local there = target == self.buf and at >= edit.range.start.line and at <= edit.range['end'].line
    if require('tandem').options.next_edits == 'quiet' and not self.revealed then
      vim.api.nvim_buf_clear_namespace(self.buf, namespace, 0, -1)
      self.revealed = true
      return self:show(client, edit)
    end
    if there and edit.jump then
      return self:hide()
    elseif there then
      return self:apply(client, edit)
    end
    vim.lsp.util.show_document({ uri = edit.textDocument.uri, range = edit.range }, client.offset_encoding, { focus = true })
    if edit.jump then
      client:exec_cmd(edit.command, { bufnr = self.buf }) -- seen: it is not offered again
      self:hide()
      if active[target] then
        active[target]:step()
      else
        carried[target] = false
      end
      return
    elseif target == self.buf then
      return
    end
    self:hide()
    if active[target] then
      active[target]:arrive(client, edit)
    else
      carried[target] = edit
    end
  end)
  return true
end

---@param client vim.lsp.Client
---@param edit tandem.Edit
function NextEdit:apply(client, edit)
  local target = vim.uri_to_bufnr(edit.textDocument.uri)
  self:hide()
  local version = vim.lsp.util.buf_versions[target]
  if version and version ~= edit.textDocument.version then
    return say('ask again: the text has changed since', vim.log.levels.WARN)
  end
  vim.lsp.util.apply_text_edits({ { range = edit.range, newText = edit.text } }, target, client.offset_encoding)
  self.applied = vim.api.nvim_buf_get_changedtick(target)
  client:exec_cmd(edit.command, { bufnr = self.buf })
  self:step()
end

---Rejects the next edit; it is not offered again.
function M.reject()
  local self = active[vim.api.nvim_get_current_buf()]
  local client = self and vim.lsp.get_client_by_id(self.client_id)
  if self and client and self.edit then
    client:request('notifyNextEditRejected', { uuid = self.edit.command.arguments[1], reason = 'rejected' }, function() end)
    self:hide()
  end
end

---Takes the next edit of a buffer off the screen, where another edit is asked for.
---@param buf integer
function M.hide(buf)
  if active[buf] then
    active[buf]:hide()
  end
end

---Requests the next edit now.
function M.request()
  local self = active[vim.api.nvim_get_current_buf()]
  if self then
    self:hide()
    self:request()
  end
end

return M
