---Tells the server where other language servers find what is declared in the cursor's line:
---when it is changed, next edits lead there. The server names what is not known yet.
---Nothing is renamed: what a rename would change is only read.
local M = {}

local pause_ms = 150
local longest_ms = 10000 -- a Java server searches a project that long for a rename
local most_locations = 2000

---@class (private) tandem.Asked
---@field timer uv.uv_timer_t
---@field line? integer where the cursor is
---@field running? fun() cancels what was asked

---@type table<integer, tandem.Asked>
local active = {}

---A position in the units of another server.
---@param buf integer
---@param position lsp.Position
---@param from string
---@param to string
local function converted(buf, position, from, to)
  local line = vim.api.nvim_buf_get_lines(buf, position.line, position.line + 1, false)[1] or ''
  local byte = vim.str_byteindex(line, from, position.character, false)
  return { line = position.line, character = vim.str_utfindex(line, to, byte, false) }
end

---Locations in the units of our server.
---@param locations lsp.Location[]
---@param other vim.lsp.Client
---@param client vim.lsp.Client
local function translated(locations, other, client)
  if other.offset_encoding == client.offset_encoding or client.offset_encoding ~= 'utf-8' then
    return locations
  end
  return vim.tbl_map(function(item)
    local range = { start = { line = item.lnum - 1, character = item.col - 1 }, ['end'] = { line = item.end_lnum - 1, character = item.end_col - 1 } }
    return { uri = vim.uri_from_fname(item.filename), range = range }
  end, vim.lsp.util.locations_to_items(locations, other.offset_encoding))
end

---The places of a text that a rename writes in one piece, some servers all of a file.
---@param edit lsp.TextEdit
---@param now string the new name
---@param was string
---@param encoding string of the server's positions
---@return lsp.Range[]
local function pieces(edit, now, was, encoding)
  local out = {}
  local at = edit.range.start
  local function over(text)
    local lines = vim.split(text, '\n', { plain = true })
    local length = vim.str_utfindex(lines[#lines], encoding)
    at = { line = at.line + #lines - 1, character = #lines == 1 and at.character + length or length }
  end
  local parts = vim.split(edit.newText, now, { plain = true })
  for i = 1, #parts - 1 do
    over(parts[i])
    local start = at
    over(was)
    out[#out + 1] = { start = start, ['end'] = at }
  end
  return out
end

---What a rename writes at its places, which the references of some servers are not all of: a method
---that overrides others is renamed with them.
---@param edit lsp.WorkspaceEdit
---@param now string the new name
---@param was string
---@param other vim.lsp.Client
---@param client vim.lsp.Client
local function renamed(edit, now, was, other, client)
  local plain, out = {}, {}
  local function add(uri, list)
    for _, e in ipairs(list or {}) do
      local ranges = pieces(e, now, was, other.offset_encoding)
      local first, last = e.newText:find(now, 1, true)
      if #ranges > 1 or first == 1 and last == #e.newText then
        for _, range in ipairs(#ranges > 1 and ranges or { e.range }) do
          plain[#plain + 1] = { uri = uri, range = range }
        end
      elseif first then
        local one = translated({ { uri = uri, range = e.range } }, other, client)[1]
        out[#out + 1] = { uri = one.uri, range = one.range, prefixText = e.newText:sub(1, first - 1), suffixText = e.newText:sub(last + 1) }
      end
    end
  end
  for uri, list in pairs(edit.changes or {}) do
    add(uri, list)
  end
  for _, change in ipairs(edit.documentChanges or {}) do
    add(change.textDocument and change.textDocument.uri, change.edits)
  end
  for _, one in ipairs(translated(plain, other, client)) do
    out[#out + 1] = { uri = one.uri, range = one.range, prefixText = '', suffixText = '' }
  end
  return out
end

---The other servers of a buffer that know references.
---@param buf integer
---@return vim.lsp.Client[]
local function others(buf)
  return vim.tbl_filter(function(c)
    return c.name ~= 'tandem' and not c.name:lower():find('copilot') and c:supports_method('textDocument/references', buf)
  end, vim.lsp.get_clients({ bufnr = buf }))
end

---Asks the other servers for the references of one name and for what its rename would change, and
---sends what they answer, also when the user types meanwhile: the server knows the text before.
---@param client vim.lsp.Client
---@param buf integer
---@param version integer
---@param declaration { name: string, range: lsp.Range }
---@param cancels fun()[] gets what cancels the requests
local function ask(client, buf, version, declaration, cancels)
  local uri, uses, written = vim.uri_from_bufnr(buf), {}, {}
  local function tell()
    local found = vim.list_extend(vim.list_slice(written), uses) -- the first of several at one place counts
    if #uses > 0 and #found <= most_locations and vim.api.nvim_buf_is_valid(buf) then
      client:notify('tandem/references', { uri = uri, version = version, range = declaration.range, name = declaration.name, locations = found })
    end
  end
  ---@param other vim.lsp.Client
  ---@param method string
  ---@param extra table parameters
  ---@param into table[]
  ---@param read fun(answer: any): table[] locations
  local function request(other, method, extra, into, read)
    local position = converted(buf, declaration.range.start, client.offset_encoding, other.offset_encoding)
    local params = vim.tbl_extend('error', { textDocument = { uri = uri }, position = position }, extra)
    local _, id = other:request(method, params, function(_, answer)
      local locations = answer and read(answer) or {}
      if #locations > 0 then
        vim.list_extend(into, locations)
        tell()
      end
    end, buf)
    cancels[#cancels + 1] = function()
      if id and not other:is_stopped() then
        other:cancel_request(id)
      end
    end
  end
  local name = declaration.name .. '_renamed'
  for _, other in ipairs(others(buf)) do
    request(other, 'textDocument/references', { context = { includeDeclaration = true } }, uses, function(locations)
      return translated(locations, other, client)
    end)
    if other:supports_method('textDocument/rename', buf) then
      request(other, 'textDocument/rename', { newName = name }, written, function(edit)
        return renamed(edit, name, declaration.name, other, client)
      end)
    end
  end
end

---@param client vim.lsp.Client
---@param buf integer
local function declared(client, buf)
  local self = active[buf]
  local version = vim.lsp.util.buf_versions[buf]
  if not self or not version or vim.api.nvim_get_current_buf() ~= buf or #others(buf) == 0 then
    return
  end
  if self.running then
    self.running()
  end
  local cancels = {}
  self.running = function()
    for _, cancel in ipairs(cancels) do
      cancel()
    end
    cancels = {}
  end
  vim.defer_fn(self.running, longest_ms)
  local params = { textDocument = { uri = vim.uri_from_bufnr(buf), version = version }, position = { line = self.line, character = 0 } }
  client:request('tandem/declarations', params, function(_, result)
    for _, declaration in ipairs(result and result.declarations or {}) do
      if vim.lsp.util.buf_versions[buf] == version then
        ask(client, buf, version, declaration, cancels)
      end
    end
  end, buf)
end

---@param client vim.lsp.Client
---@param buf integer
function M.attach(client, buf)
  if active[buf] then
    active[buf].timer:close()
  end
  local self = { timer = assert(vim.uv.new_timer()) }
  active[buf] = self
  local group = vim.api.nvim_create_augroup('tandem.references:' .. buf, { clear = true })
  local function entered(again)
    local line = vim.api.nvim_win_get_cursor(0)[1] - 1
    if again or line ~= self.line then
      self.line = line
      local tick = vim.api.nvim_buf_get_changedtick(buf)
      self.timer:start(pause_ms, 0, vim.schedule_wrap(function()
        -- A name that is just being written is asked for by nobody: the answers would take the place of those for the name before.
        if active[buf] == self and not client:is_stopped() and vim.api.nvim_buf_is_valid(buf) and vim.api.nvim_buf_get_changedtick(buf) == tick then
          declared(client, buf)
        end
      end))
    end
  end
  vim.api.nvim_create_autocmd({ 'CursorMoved', 'CursorMovedI', 'BufEnter' }, {
    group = group,
    buffer = buf,
    callback = function()
      entered(false)
    end,
  })
  vim.api.nvim_create_autocmd('LspAttach', {
    group = group,
    buffer = buf,
    callback = function()
      if vim.api.nvim_get_current_buf() == buf then
        entered(true) -- another server, which may know more
      end
    end,
  })
  vim.api.nvim_create_autocmd({ 'BufUnload', 'LspDetach' }, {
    group = group,
    buffer = buf,
    callback = function(event)
      if active[buf] == self and (event.event == 'BufUnload' or event.data.client_id == client.id) then
        self.timer:close()
        active[buf] = nil
        vim.api.nvim_del_augroup_by_id(group)
      end
    end,
  })
  if vim.api.nvim_get_current_buf() == buf then
    entered(true)
  end
end

return M
