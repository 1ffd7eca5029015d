---Tells the server where other language servers find what is declared in the cursor's line:
---when it is changed, next edits lead there. The server names what is not known yet.
---Nothing is renamed: what a rename would change is only read.
local M = {}

local pause_ms = 150
local longest_ms = 5000
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

---What a rename writes beside the new name at its places, which the references of some servers are
---not all of: a method that overrides others is renamed with them.
---@param edit lsp.WorkspaceEdit
---@param name string the new one
---@param other vim.lsp.Client
---@param client vim.lsp.Client
local function renamed(edit, name, other, client)
  local plain, out = {}, {}
  local function add(uri, list)
    for _, e in ipairs(list or {}) do
      local first, last = e.newText:find(name, 1, true)
      local location = { uri = uri, range = e.range }
      if first == 1 and last == #e.newText then
        plain[#plain + 1] = location
      elseif first then
        local one = translated({ location }, other, client)[1]
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

---Asks the other servers for the references of one name, then for what its rename would change,
---and sends what they answer.
---@param client vim.lsp.Client
---@param buf integer
---@param version integer
---@param declaration { name: string, range: lsp.Range }
---@param cancels fun()[] gets what cancels the requests
local function ask(client, buf, version, declaration, cancels)
  local uri, found = vim.uri_from_bufnr(buf), {}
  local servers = others(buf)
  ---@param method string
  ---@param extra table parameters
  ---@param read fun(answer: any, other: vim.lsp.Client): table[] locations
  ---@param done fun()
  local function each(method, extra, read, done)
    local left, news = #servers, 0
    for _, other in ipairs(servers) do
      local position = converted(buf, declaration.range.start, client.offset_encoding, other.offset_encoding)
      local params = vim.tbl_extend('error', { textDocument = { uri = uri }, position = position }, extra)
      local function answered(_, answer)
        left = left - 1
        local locations = answer and read(answer, other) or {}
        news, found = news + #locations, vim.list_extend(locations, found)
        local current = vim.api.nvim_buf_is_valid(buf) and vim.lsp.util.buf_versions[buf] == version
        if left == 0 and current and news > 0 and #found <= most_locations then
          client:notify('tandem/references', { uri = uri, version = version, range = declaration.range, name = declaration.name, locations = found })
          done()
        end
      end
      if not other:supports_method(method, buf) then
        answered()
      else
        local _, id = other:request(method, params, answered, buf)
        cancels[#cancels + 1] = function()
          if id and not other:is_stopped() then
            other:cancel_request(id)
          end
        end
      end
    end
  end
  each('textDocument/references', { context = { includeDeclaration = true } }, function(locations, other)
    return translated(locations, other, client)
  end, function()
    local name = declaration.name .. '_renamed'
    each('textDocument/rename', { newName = name }, function(edit, other)
      return renamed(edit, name, other, client)
    end, function() end)
  end)
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
      self.timer:start(pause_ms, 0, vim.schedule_wrap(function()
        if active[buf] == self and not client:is_stopped() then
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
