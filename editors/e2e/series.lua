-- Renames and changes of parameters in a real project, in a real Neovim beside the project's
-- own language server, by Tab alone. The server's own rename and references judge: a line
-- counts as done if it is as the rename makes it, and any other changed line is outside.
-- Environment: SERIES_FOLDER, SERIES_FILETYPE, SERIES_SERVER, SERIES_LOOK, RENAMES, SIGNATURES, SEED, ONLY (a pattern of file names).
local folder, filetype = assert(os.getenv('SERIES_FOLDER')), assert(os.getenv('SERIES_FILETYPE'))
local renames, signatures = tonumber(os.getenv('RENAMES') or '30'), tonumber(os.getenv('SIGNATURES') or '15')
local extension = ({ go = 'go', python = 'py', typescript = 'ts', rust = 'rs', java = 'java' })[filetype]
local argument = ({ go = 'extra int', python = 'extra', typescript = 'extra: number', rust = 'extra: usize', java = 'int extra' })[filetype]

local channel = vim.fn.jobstart({ vim.v.progpath, '--embed', '--headless', '--clean', '-u', os.getenv('E2E_DIR') .. '/series_child.lua' }, { rpc = true, cwd = folder })
local function lua(code, ...)
  return vim.rpcrequest(channel, 'nvim_exec_lua', code, { ... })
end
local function input(keys)
  vim.rpcrequest(channel, 'nvim_input', keys)
end
local look = tonumber(os.getenv('SERIES_LOOK') or '2500') -- ms that a person looks at a line before changing it, as in VS Code's driver

-- Types a text as a person does, at 80 words a minute: a language server has that long to answer.
local function type_in(text)
  for _, key in ipairs(vim.fn.split(text, [[\zs]])) do
    input(key == '<' and '<lt>' or key)
    vim.wait(150)
  end
  input('<Esc>')
end
local function wait(ms, probe)
  return vim.wait(ms, probe, 10)
end

local state = tonumber(os.getenv('SEED') or '1')
local function random(n)
  state = (state * 1103515245 + 12345) % 2147483648
  return math.floor(state / 65536) % n + 1
end
local function shuffled(list)
  for i = #list, 2, -1 do
    local j = random(i)
    list[i], list[j] = list[j], list[i]
  end
  return list
end

local function lines_of(path)
  local f = assert(io.open(path, 'rb'))
  local text = f:read('*a')
  f:close()
  local out = vim.split(text, '\n')
  if out[#out] == '' then
    out[#out] = nil
  end
  return out
end

local function open(path, line, column)
  lua('vim.cmd.edit(...)', path)
  wait(60000, function()
    return lua("return #vim.lsp.get_clients({ bufnr = 0 }) > 1 and vim.iter(vim.lsp.get_clients({ bufnr = 0 })):all(function(c) return c.initialized end)")
  end)
  lua('vim.api.nvim_win_set_cursor(0, { ... })', 1, 0)
  input('<Esc>')
  vim.wait(30)
  lua('vim.api.nvim_win_set_cursor(0, { ... })', line, column)
  input('<Esc>')
end

-- Waits for what is offered: until it is shown, or nothing has been asked for a second.
local function offered()
  local is, since
  wait(15000, function()
    is = lua('return shown()')
    since = not is and not lua('return seen.waiting') and (since or vim.uv.now()) or nil
    return is or since and vim.uv.now() - since > 1000
  end)
  return is
end

-- Presses Tab until nothing is offered. visit is called with each place that the cursor comes to.
local function walk(most, visit)
  for _ = 1, most do
    if not offered() then
      return
    end
    local before = lua('return state()')
    input('<Tab>')
    wait(2000, function()
      return lua('return state()') ~= before
    end)
    visit(lua('return vim.api.nvim_buf_get_name(0)'), lua('return vim.api.nvim_win_get_cursor(0)[1]'))
  end
end

-- The texts that a rename of the language server leads to, by path.
local function renamed(edit)
  local out, places = {}, 0
  local list = edit.documentChanges or {}
  for uri, edits in pairs(edit.changes or {}) do
    list[#list + 1] = { textDocument = { uri = uri }, edits = edits }
  end
  for _, change in ipairs(list) do
    if change.edits then
      local path = vim.uri_to_fname(change.textDocument.uri)
      local buf = vim.api.nvim_create_buf(false, true)
      vim.api.nvim_buf_set_lines(buf, 0, -1, false, lines_of(path))
      vim.lsp.util.apply_text_edits(change.edits, buf, 'utf-16')
      out[path] = vim.api.nvim_buf_get_lines(buf, 0, -1, false)
      vim.api.nvim_buf_delete(buf, { force = true })
      for i, line in ipairs(lines_of(path)) do
        places = places + (out[path][i] ~= line and 1 or 0) -- some servers write all of a file in one piece
      end
    end
  end
  return out, places
end

local comment = { go = '^%s*//', python = '^%s*#', typescript = '^%s*[/*]', rust = '^%s*//', java = '^%s*[/*]' }

-- How many of the lines that want changes are as it has them, and which lines are otherwise.
local function compared(want, got)
  local all, done, outside, missed = 0, 0, {}, {}
  local paths = vim.tbl_keys(vim.tbl_extend('keep', {}, want, got))
  for _, path in ipairs(paths) do
    local was = lines_of(path)
    local w, g = want[path] or was, got[path] or was
    for i = 1, math.max(#was, #w, #g) do
      if w[i] ~= was[i] then
        all = all + 1
        if g[i] == w[i] then
          done = done + 1
        else
          missed[#missed + 1] = ('%s:%d: %s'):format(vim.fs.basename(path), i, w[i])
        end
      end
      if g[i] ~= was[i] and g[i] ~= w[i] and not (g[i] or ''):find(comment[filetype]) then
        outside[#outside + 1] = ('%s:%d: %s'):format(vim.fs.basename(path), i, g[i])
      end
    end
  end
  return all, done, outside, missed
end

local function flat(list, out)
  for _, s in ipairs(type(list) == 'table' and list or {}) do
    out[#out + 1] = s
    flat(s.children, out)
  end
  return out
end

local callable = { [6] = true, [12] = true, [9] = true }
local renameable = { [5] = true, [6] = true, [7] = true, [8] = true, [10] = true, [11] = true, [12] = true, [13] = true, [14] = true, [22] = true, [23] = true }

local function symbols()
  local found = lua('return ask(...)', 'textDocument/documentSymbol', vim.empty_dict())
  return type(found) == 'table' and found or {}
end

-- The declarations of a file, each with the place of its name; of functions a parameter too.
local function declarations(path)
  local lines, out = lines_of(path), {}
  for _, s in ipairs(flat(symbols(), {})) do
    local range = s.selectionRange or (s.location and s.location.range)
    local name = s.name:gsub('%(.*', ''):match('([%a_][%w_]*)$') -- Java's have their parameters
    local line = range and lines[range.start.line + 1] or ''
    local column = name and line:find('%f[%w_]' .. name .. '%f[^%w_]', range.start.character + 1)
    if column and renameable[s.kind] and #name > 1 and not name:find('^__') and name ~= 'constructor' and name ~= 'main' and name ~= 'init' and not name:find('^[Tt]est') then
      out[#out + 1] = { name = name, line = range.start.line, column = column - 1, call = callable[s.kind] and line:sub(column + #name):find('^%(') and line:find('%)') and not line:find('^%s*//') or false }
      local parameter = callable[s.kind] and filetype ~= 'java' and line:sub(column + #name):match('^%(([%a_][%w_]*)[,: ]') -- Java's begin with their type
      if parameter and parameter ~= 'self' and parameter ~= 'cls' and parameter ~= 'this' and #parameter > 1 then
        out[#out + 1] = { name = parameter, line = range.start.line, column = column + #name, parameter = true }
      end
    end
  end
  return out
end

local function position(d)
  return { line = d.line, character = d.column }
end

local function told(name)
  lua('seen.references[...] = nil', name)
  return function()
    return lua('return seen.references[...] ~= nil', name)
  end
end

local function rename(path, d)
  local refs = lua('return ask(...)', 'textDocument/references', { position = position(d), context = { includeDeclaration = false } })
  if type(refs) ~= 'table' or #refs == 0 or #refs > 40 then
    return nil
  end
  local defined = lua('return ask(...)', 'textDocument/definition', { position = position(d) })
  local here = false
  for _, t in ipairs(type(defined) == 'table' and (defined.uri and { defined } or defined) or {}) do
    here = here or vim.uri_to_fname(t.uri or t.targetUri) == path and (t.range or t.targetSelectionRange).start.line == d.line
  end
  if not here then
    return nil -- a use that is listed as a symbol, such as an anonymous class
  end
  local now = d.name .. 'Next'
  local edit = lua('return ask(...)', 'textDocument/rename', { position = position(d), newName = now })
  if type(edit) ~= 'table' then
    return nil
  end
  local want, places = renamed(edit)
  if ((want[path] or {})[d.line + 1] or ''):sub(d.column + 1, d.column + #now) ~= now then
    return nil -- a use, or a property and its variable at once: no declaration of the name alone
  end
  for file in pairs(want) do
    if not vim.startswith(file, folder) then
      return nil
    end
  end
  local known = told(d.name)
  open(path, d.line + 1, d.column)
  vim.wait(look)
  local told_in_time = wait(6000, known)
  input('ciw')
  type_in(now)
  local answers = lua('return seen.answers')
  wait(5000, function()
    return lua('return seen.answers') > answers
  end)
  walk(3 * places + 6, function() end)
  local all, done, outside, missed = compared(want, lua('return changed()'))
  lua('restore()')
  return { what = ('%s %s:%d'):format(d.name, vim.fs.basename(path), d.line + 1), all = all, done = done, outside = outside, missed = missed, told = told_in_time }
end

local function signature(path, d)
  local lines = lines_of(path)
  local refs = lua('return ask(...)', 'textDocument/references', { position = position(d), context = { includeDeclaration = false } })
  local calls, count = {}, 0
  for _, r in ipairs(type(refs) == 'table' and refs or {}) do
    local file = vim.uri_to_fname(r.uri)
    local line = lines_of(file)[r.range.start.line + 1] or ''
    local key = file .. ':' .. (r.range.start.line + 1)
    if line:sub(r.range.start.character + 1):find('^' .. d.name .. '%(') and not (file == path and r.range.start.line == d.line) and not calls[key] then
      calls[key], count = true, count + 1
    end
    if not vim.startswith(file, folder) then
      return nil
    end
  end
  if count == 0 or count > 40 then
    return nil
  end
  local at = d.column + #d.name + 1
  local rest = lines[d.line + 1]:sub(at + 1)
  local receiver = rest:match('^&?m?u?t? ?self,? ?') or rest:match('^cls,? ?') or ''
  at = at + #receiver
  local text = argument
  if receiver ~= '' and not receiver:find(',') then
    text = ', ' .. text
  elseif not lines[d.line + 1]:sub(at + 1):find('^%)') then
    text = text .. ', '
  end
  local known = told(d.name)
  open(path, d.line + 1, d.column)
  vim.wait(look)
  local told_in_time = wait(6000, known)
  lua('vim.api.nvim_win_set_cursor(0, { ... })', d.line + 1, math.max(at - 1, 0))
  input('a')
  type_in(text)
  local answers = lua('return seen.answers')
  wait(5000, function()
    return lua('return seen.answers') > answers
  end)
  local visited, outside = {}, {}
  walk(3 * count + 6, function(file, line)
    visited[file .. ':' .. line] = true
  end)
  for file, now in pairs(lua('return changed()')) do
    local was = lines_of(file)
    for i = 1, math.max(#was, #now) do
      if was[i] ~= now[i] and not (file == path and i == d.line + 1) then
        outside[#outside + 1] = ('%s:%d: %s'):format(vim.fs.basename(file), i, now[i])
      end
    end
  end
  lua('restore()')
  local done = 0
  for key in pairs(calls) do
    done = done + (visited[key] and 1 or 0)
  end
  return { what = ('%s( %s:%d'):format(d.name, vim.fs.basename(path), d.line + 1), all = count, done = done, outside = outside, told = told_in_time }
end

local files = shuffled(vim.fs.find(function(name, dir)
  return vim.endswith(name, '.' .. extension) and (dir .. '/' .. name):find(os.getenv('ONLY') or '') and not name:find('_test%.go$') and not name:find('%.test%.ts$') and not dir:find('/target/') and not name:find('%.d%.ts$') and not dir:find('node_modules') and not dir:find('/%.')
end, { path = folder, type = 'file', limit = math.huge }))
local total = { rename = { cases = 0, whole = 0, all = 0, done = 0, outside = 0, told = 0 }, signature = { cases = 0, whole = 0, all = 0, done = 0, outside = 0, told = 0 } }
local function count(kind, r)
  local t = total[kind]
  t.cases, t.all, t.done, t.outside = t.cases + 1, t.all + r.all, t.done + r.done, t.outside + #r.outside
  t.whole, t.told = t.whole + ((r.all == r.done and #r.outside == 0) and 1 or 0), t.told + (r.told and 1 or 0)
  io.stdout:write(('%-9s %-50s %d of %d%s%s%s\n'):format(kind, r.what, r.done, r.all, #(r.missed or {}) > 0 and ', missed: ' .. table.concat(r.missed, ' | ') or '', #r.outside > 0 and ', outside: ' .. table.concat(r.outside, ' | ') or '', r.told and '' or ', no references'))
end
-- A language server says nothing of a file until it has read the project.
for _, path in ipairs(files) do
  open(path, 1, 0)
  if wait(tonumber(os.getenv('SERIES_READS') or '10') * 1000, function()
    return #declarations(path) > 0
  end) then
    break
  end
end
for _, path in ipairs(files) do
  if total.rename.cases >= renames and total.signature.cases >= signatures then
    break
  end
  open(path, 1, 0)
  local taken = { rename = 0, signature = 0, parameter = 0 }
  for _, d in ipairs(shuffled(declarations(path))) do
    if taken.rename + taken.parameter < 3 and taken[d.parameter and 'parameter' or 'rename'] < 2 and total.rename.cases < renames then
      local r = rename(path, d)
      if r then
        taken[d.parameter and 'parameter' or 'rename'] = taken[d.parameter and 'parameter' or 'rename'] + 1
        count('rename', r)
      end
    end
    if d.call and taken.signature < 2 and total.signature.cases < signatures then
      open(path, 1, 0)
      local r = signature(path, d)
      if r then
        taken.signature = taken.signature + 1
        count('signature', r)
      end
    end
    open(path, 1, 0)
  end
end
for _, kind in ipairs({ 'rename', 'signature' }) do
  local t = total[kind]
  io.stdout:write(('%s %s: %d cases (%d with references), places %d of %d (%.1f %%), whole %d, lines outside %d\n'):format(filetype, kind, t.cases, t.told, t.done, t.all, 100 * t.done / math.max(t.all, 1), t.whole, t.outside))
end
vim.fn.jobstop(channel)
