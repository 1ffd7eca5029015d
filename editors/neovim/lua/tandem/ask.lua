---Questions and their answers in a buffer beside the code. The answer appears as it is
---written; the places it names can be opened.
local say = require('tandem.say')
local M = {}

local namespace = vim.api.nvim_create_namespace('tandem.ask')

---Questions about one place, each of which sees the answers before it.
---@class (private) tandem.Conversation
---@field id integer
---@field buf integer
---@field origin integer the window that it was asked in
---@field place table the document and the position, as tandem/ask takes them
---@field citations lsp.Location[]
---@field question integer the row of the last question
---@field windows table<integer, string> what the model was shown, by the row of the question
---@field request? integer
---@field client_id? integer

---@type table<integer, tandem.Conversation> by buffer
local conversations = {}
local count = 0

---Changes the buffer's text, and leaves windows at their place, which Neovim moves with it.
---@param buf integer
---@param change fun()
local function write(buf, change)
  local views = {}
  for _, win in ipairs(vim.fn.win_findbuf(buf)) do
    views[win] = vim.api.nvim_win_call(win, vim.fn.winsaveview)
  end
  vim.bo[buf].modifiable = true
  change()
  vim.bo[buf].modifiable = false
  for win, view in pairs(views) do
    vim.api.nvim_win_call(win, function()
      vim.fn.winrestview(view)
    end)
  end
end

---Appends text to the end of the buffer. A window whose cursor is there follows it as long as
---all since the last question fits: an answer is read from its beginning.
---@param c tandem.Conversation
---@param text string
local function append(c, text)
  local last = vim.api.nvim_buf_line_count(c.buf) - 1
  local column = #(vim.api.nvim_buf_get_lines(c.buf, last, last + 1, false)[1] or '')
  write(c.buf, function()
    vim.api.nvim_buf_set_text(c.buf, last, column, last, column, vim.split(text, '\n'))
  end)
  for _, win in ipairs(vim.fn.win_findbuf(c.buf)) do
    local fits = vim.api.nvim_win_text_height(win, { start_row = c.question }).all < vim.api.nvim_win_get_height(win)
    if fits and vim.api.nvim_win_get_cursor(win)[1] >= last then
      vim.api.nvim_win_set_cursor(win, { vim.api.nvim_buf_line_count(c.buf), 0 })
    end
  end
end

---Replaces the text from a row on.
local function replace(buf, row, text)
  write(buf, function()
    vim.api.nvim_buf_set_lines(buf, row, -1, false, vim.split(text, '\n'))
  end)
end

---Marks the places that were cited.
---@param c tandem.Conversation
local function mark(c)
  vim.api.nvim_buf_clear_namespace(c.buf, namespace, 0, -1)
  for row, line in ipairs(vim.api.nvim_buf_get_lines(c.buf, 0, -1, false)) do
    for from, name, number, to in line:gmatch('()([%w_@+./-]+):(%d+)()') do
      if M.cited(c.citations, name, tonumber(number)) then
        vim.api.nvim_buf_set_extmark(c.buf, namespace, row - 1, from - 1, { end_col = to - 1, hl_group = 'Underlined' })
      end
    end
  end
end

---The cited place that a path and a line name.
---@param citations lsp.Location[]
---@param name string
---@param line integer?
---@return lsp.Location?
function M.cited(citations, name, line)
  name = name:gsub('^%./', ''):gsub('^/', '')
  for _, c in ipairs(citations) do
    local path = vim.uri_to_fname(c.uri)
    if c.range.start.line + 1 == line and vim.endswith(path, '/' .. name) then
      return c
    end
  end
end

---Opens the place that is named at the cursor, or on its line, in the window of the code.
---@param c tandem.Conversation
local function open(c)
  local line = vim.api.nvim_get_current_line()
  local column = vim.api.nvim_win_get_cursor(0)[2]
  local found
  for from, name, number, to in line:gmatch('()([%w_@+./-]+):(%d+)()') do
    local place = M.cited(c.citations, name, tonumber(number))
    if place and (not found or column >= from - 1 and column < to - 1) then
      found = place
    end
  end
  if not found then
    return say('no place of the workspace is named here', vim.log.levels.WARN)
  end
  if vim.api.nvim_win_is_valid(c.origin) then
    vim.api.nvim_set_current_win(c.origin)
  end
  vim.lsp.util.show_document(found, 'utf-8', { focus = true })
end

---Shows text in a new window.
local function show(name, text)
  vim.cmd('new')
  local buf = vim.api.nvim_get_current_buf()
  vim.bo[buf].buftype, vim.bo[buf].bufhidden = 'nofile', 'wipe'
  pcall(vim.api.nvim_buf_set_name, buf, name)
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, vim.split(text, '\n'))
  vim.bo[buf].modifiable = false
end

---Opens what the model was shown for the answer at the cursor.
---@param c tandem.Conversation
local function show_window(c)
  local row, uri = vim.api.nvim_win_get_cursor(0)[1] - 1, nil
  for question, window in pairs(c.windows) do
    if question <= row and (not uri or question > uri.row) then
      uri = { row = question, window = window }
    end
  end
  if not uri then
    return say('there is no answer of a model here', vim.log.levels.WARN)
  end
  require('tandem.client').request('workspace/textDocumentContent', { uri = uri.window }, function(result)
    show(uri.window, result.text)
  end)
end

---Asks in a conversation.
---@param c tandem.Conversation
---@param question string
local function ask(c, question)
  local client = require('tandem.client').get()
  if not client then
    return require('tandem.client').with(nil, function()
      ask(c, question)
    end)
  end
  local empty = vim.api.nvim_buf_line_count(c.buf) == 1
  c.question = vim.api.nvim_buf_line_count(c.buf) - (empty and 1 or 0)
  append(c, (empty and '' or '\n') .. '# ' .. question:gsub('%s*\n%s*', ' ') .. '\n\n')
  for _, win in ipairs(vim.fn.win_findbuf(c.buf)) do
    vim.api.nvim_win_set_cursor(win, { vim.api.nvim_buf_line_count(c.buf), 0 })
  end
  local row = vim.api.nvim_buf_line_count(c.buf) - 1
  local token, forget = require('tandem.partial').token(function(value)
    if value.answer and vim.api.nvim_buf_is_valid(c.buf) then
      append(c, value.answer)
    end
  end)
  local params = vim.tbl_extend('force', { question = question, thread = 'ask ' .. c.id, partialResultToken = token }, c.place)
  local _, id = client:request('tandem/ask', params, function(err, result)
    forget()
    c.request = nil
    if not vim.api.nvim_buf_is_valid(c.buf) then
      return
    elseif err then
      return append(c, ('\n(%s)\n'):format(err.code == -32800 and 'Stopped.' or err.message))
    end
    local cut = result.interrupted and ('\n\n(The answer was cut: %s.)'):format(result.reason) or ''
    replace(c.buf, row, vim.trim(result.answer) .. cut .. '\n')
    vim.list_extend(c.citations, result.citations)
    c.windows[row - 2] = result.window
    mark(c)
  end)
  c.request, c.client_id = id, client.id
end

---@param c tandem.Conversation
local function stop(c)
  local client = c.client_id and vim.lsp.get_client_by_id(c.client_id)
  if client and c.request then
    client:cancel_request(c.request)
  end
end

---@param c tandem.Conversation
local function follow_up(c)
  vim.ui.input({ prompt = 'Follow-up: ' }, function(words)
    if words and words:match('%S') then
      ask(c, words)
    end
  end)
end

---Begins a conversation about the place of the cursor, in a window beside the code.
---@param question string
---@param range lsp.Range
function M.start(question, range)
  count = count + 1
  local c = { id = count, origin = vim.api.nvim_get_current_win(), citations = {}, windows = {} }
  c.place = { textDocument = { uri = vim.uri_from_bufnr(0) }, position = range.start }
  if vim.bo.buftype ~= '' then
    c.place = {}
  end
  vim.cmd('botright vnew')
  c.buf = vim.api.nvim_get_current_buf()
  conversations[c.buf] = c
  vim.bo[c.buf].buftype, vim.bo[c.buf].bufhidden, vim.bo[c.buf].swapfile = 'nofile', 'wipe', false
  vim.bo[c.buf].filetype = 'markdown'
  vim.api.nvim_buf_set_name(c.buf, 'tandem://ask/' .. count)
  vim.bo[c.buf].modifiable = false
  vim.wo.wrap, vim.wo.linebreak, vim.wo.number = true, true, false
  vim.wo.conceallevel, vim.wo.concealcursor = 2, 'n' -- Markdown is drawn, not its marks
  vim.wo.winbar = '<CR> open  f ask on  w window  q close'
  local function map(lhs, run, desc)
    vim.keymap.set('n', lhs, function()
      run(c)
    end, { buffer = c.buf, nowait = true, desc = 'tandem: ' .. desc })
  end
  map('<CR>', open, 'open the place')
  map('f', follow_up, 'ask a follow-up')
  map('w', show_window, 'what the model was shown')
  map('<C-c>', stop, 'stop')
  map('q', function()
    vim.cmd.close()
  end, 'close')
  vim.api.nvim_create_autocmd('BufWipeout', {
    buffer = c.buf,
    callback = function()
      stop(c)
      conversations[c.buf] = nil
    end,
  })
  ask(c, question)
end

return M
