-- The scenarios in real Neovim, which runs in a pty of this Neovim.
package.path = vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2)) .. '/?.lua;' .. package.path
local e2e = require('terminal')
local check, wait, on_disk = e2e.check, e2e.wait, e2e.on_disk

local file = 'semver/semver.go'
-- What makes states visible that the scenarios wait for.
local shown = [[
vim.o.statusline = "%f %m %= %{v:lua.require'tandem'.statusline()}"
vim.o.more, vim.o.swapfile = false, false
vim.o.number, vim.o.termguicolors, vim.o.tabstop = true, true, 4
]]
local as_copilot = "vim.lsp.enable('tandem', false)\n" .. e2e.page('tandem-copilot') .. '\n'
local t
local opened = 0
local running = false

local function quit()
  t:input('<Esc>:wqall<CR>')
  check('Neovim ends well', t:ended() == 0)
  wait('no server to be left', function()
    return not e2e.server_pid()
  end)
  running = false
end

---Starts Neovim with the file, and waits until the client is attached. One that runs still,
---because the scenario that ends it is left out, is ended first.
local function open(client)
  if running then
    quit()
  end
  opened, running = opened + 1, true
  t = e2e.neovim(file, e2e.out .. '/socket' .. opened, shown .. (client == 'tandem' and '' or as_copilot))
  wait('the client to be attached', function()
    return t:lua('local c = vim.lsp.get_clients({ name = ..., bufnr = 0 })[1] return c ~= nil and c.initialized == true', client)
  end)
end

local function go_to(words, column)
  local line = e2e.line_of(t:text(), words)
  t:input(('<Esc>%dG%d|'):format(line, column or 1))
end

local function save()
  t:input('<Esc>:silent write<CR>')
  wait('the file to be written', function()
    return on_disk(file) == t:text()
  end)
end

---Selects the seven lines of a function.
local function select(declaration)
  go_to(declaration)
  t:input('V6j')
end

---A text with one part of it replaced.
local function plain(text, old, new)
  local at, stop = assert(text:find(old, 1, true))
  return text:sub(1, at - 1) .. new .. text:sub(stop + 1)
end

local function count(text, pattern)
  local _, n = text:gsub(pattern, '')
  return n
end

---How often the server has answered that it has no next edit.
local function answered_none()
  return count(e2e.read(e2e.log), 'no next edit')
end

local function no_edit()
  wait('no edit', function()
    return t:lua("return #require('tandem.streamed_edit').all() == 0")
  end)
end

local function ready()
  wait('the answer', function()
    return t:lua("local e = require('tandem.streamed_edit').all()[1] return e and e.phase == 'ready'")
  end)
end

---Brings a text back that the last scenario has changed.
local function reset(text)
  t:lua([[vim.api.nvim_buf_set_lines(0, 0, -1, false, vim.split((...):gsub('\n$', ''), '\n'))]], text)
  save()
end

---Brings a text back, after which no next edit is left on the screen.
local function forget(text)
  reset(text)
  wait('no next edit', function()
    return not t:screen():find('tandem: next edit', 1, true)
  end)
end

local scenarios = {
  { 'start: vim.lsp.enable serves', function()
    e2e.more_files()
    open('tandem')
    t:shows('quick')
  end },

  { 'type, see ghost text, accept it, undo only that', function()
    t:input('Gzto<CR>// nextPart splits off the first part.<CR>func nextPart(x string, i int) (part, rest string) {<CR>}<Esc>Oreturn x')
    t:shows('return x[:i], x[i:]\n412 }')
    t:shot('ghost-text')
    check('the buffer is without it', t:text():find('(part, rest string) {\n\treturn x\n', 1, true))
    local typed = t:text()
    t:input('<Tab>')
    wait('the accepted text', function()
      return t:text():find('(part, rest string) {\n\treturn x[:i], x[i:]\n}\n', 1, true)
    end)
    save()
    local accepted = on_disk(file)
    t:input('u')
    save()
    check('undo took what was accepted and nothing typed', on_disk(file) == typed)
    t:input('<C-r>')
    save()
    check('redo brings it back', on_disk(file) == accepted)
  end },

  { 'a suggestion that is announced line by line ends as a whole block', function()
    local before = t:text()
    e2e.hold()
    t:input('Gzto<CR>// noBlocks says whether there are any.<CR>func noBlocks(blocks []string) string {<CR>}<Esc>Oif len(blocks')
    t:shows('if len(blocks) == 0 {')
    check('the rest is not there yet', not t:screen():find('return "none"', 1, true))
    e2e.go_on()
    t:shows('return "none"')
    t:shot('whole-block')
    t:input('<Tab>')
    wait('the whole block', function()
      return t:text():find('\n\tif len(blocks) == 0 {\n\t\treturn "none"\n\t}\n}\n', 1, true)
    end)
    reset(before)
  end },

  { 'a plain Tab where nothing is offered', function()
    local before = t:text()
    t:input('<Esc>ggO')
    t:input('<Tab>x<Esc>')
    wait('a tab', function()
      return t:text():sub(1, 3) == '\tx\n'
    end)
    t:input('u')
    wait('the text as it was', function()
      return t:text() == before
    end)
  end },

  { 'a file that gets a name: its ghost text comes before it is written', function()
    for i, command in ipairs({ ':new<CR>:file semver/named.go<CR>', ':file semver/renamed.go<CR>' }) do
      t:input('<Esc>' .. command)
      wait('the client to be attached under the name', function()
        return t:lua("return vim.fn.expand('%:t') == ... and vim.lsp.get_clients({ name = 'tandem', bufnr = 0 })[1] ~= nil", i == 1 and 'named.go' or 'renamed.go')
      end)
      t:lua([[vim.api.nvim_buf_set_lines(0, 0, -1, false, { 'package semver', '', 'func parted(x string, i int) (part, rest string) {', '\treturn x[:i], x[i:]', '}' })]])
      t:input(('Go<CR>// part%d splits off the first part.<CR>func part%d(x string, i int) (part, rest string) {<CR>}<Esc>Oreturn x'):format(i, i))
      wait('the ghost text', function()
        return count(t:screen(), 'return x%[:i%], x%[i:%]') == 2
      end)
    end
    t:input('<Esc>:bwipeout!<CR>')
    check('nothing is written', on_disk('semver/named.go') == '' and on_disk('semver/renamed.go') == '')
  end },
}

vim.list_extend(scenarios, require('streamed')({
  file = file,
  t = function()
    return t
  end,
  go_to = go_to,
  select = select,
  save = save,
  reset = reset,
  ready = ready,
  no_edit = no_edit,
  plain = plain,
}))

vim.list_extend(scenarios, {
  { 'review: the findings are diagnostics of the file', function()
    local before = on_disk(file)
    t:input(':Tandem review<CR>')
    local function findings()
      return t:lua("return vim.tbl_map(function(d) return (d.lnum + 1) .. ': ' .. d.message end, vim.diagnostic.get(0))")
    end
    wait('a finding', function()
      return #findings() == 1
    end)
    local line = e2e.line_of(before, 'func compareVersion(')
    check('it is about its line', findings()[1] == line .. ': compareVersion has no comment that says what it orders by')
    go_to('func compareVersion(')
    t:input('<C-w>d')
    t:shows('what it orders by')
    t:shot('review')
    t:input('<Esc>wix<Esc>')
    wait('the finding to go with the text that it is about', function()
      return #findings() == 0
    end)
    t:input('u')
    wait('the text as it was', function()
      return t:text() == before
    end)
  end },

  { 'fix a problem that a linter found', function()
    local before = on_disk(file)
    go_to('func MajorMinor(')
    t:input('jfpea')
    t:input('<Esc>:s/parse/parsse/<CR>')
    wait('the mistake', function()
      return t:text():find('parsse', 1, true)
    end)
    t:lua([[
      local row = vim.api.nvim_win_get_cursor(0)[1] - 1
      local from, to = vim.api.nvim_get_current_line():find('parsse')
      vim.diagnostic.set(vim.api.nvim_create_namespace('e2e'), 0, {
        { lnum = row, col = from - 1, end_lnum = row, end_col = to, message = 'undefined: parsse', severity = 1, source = 'e2e' } })]])
    t:input(':Tandem fix<CR>')
    ready()
    wait('the fix alone to be drawn', function()
      local screen = t:screen()
      return screen:find('accept · reject', 1, true) and not screen:find('next edit', 1, true)
    end)
    t:shot('fix')
    t:input(':Tandem accept<CR>')
    no_edit()
    save()
    check('the name is right again', on_disk(file) == before)
  end },

  { 'code action: document', function()
    local before = on_disk(file)
    go_to('func compareVersion(')
    t:input('gra')
    t:shows('Document with tandem')
    for _, title in ipairs({ 'Edit with tandem…', 'Explain with tandem', 'Review this file with tandem' }) do
      t:shows(title)
    end
    local n = t:screen():match('(%d+): Document with tandem')
    t:input(n .. '<CR>')
    ready()
    t:shows('// compareVersion orders versions, and equal ones by their text.')
    t:shows('accept · reject')
    t:input('\\r')
    no_edit()
    check('nothing was changed', t:text() == before)
  end },

  { 'what an edit breaks in other files is completed, and then accepted with it', function()
    local before, user = on_disk(file), on_disk('module/pseudo.go')
    select('func Prerelease(')
    t:input(':Tandem edit give it a longer name<CR>')
    t:shows('complete (at 3 places)')
    t:shot('breaks-other-files')
    t:input(':Tandem complete<CR>')
    t:shows('2 other files: diff')
    check('nothing of it is on the disk', on_disk('module/pseudo.go') == user)
    t:input(':Tandem accept<CR>')
    no_edit()
    wait('the callers on the disk', function()
      t:lua('vim.cmd("silent wall")')
      return count(on_disk('module/pseudo.go'), 'semver%.PrereleaseOf%(') == 2 and on_disk('semver/semver_test.go'):find('PrereleaseOf(tt.in)', 1, true)
    end)
    t:input(':Tandem takeback<CR>')
    wait('all of it to be taken back', function()
      t:lua('vim.cmd("silent wall")')
      return on_disk(file) == before and on_disk('module/pseudo.go') == user
    end)
  end },

  { 'test: written into another file', function()
    local before = on_disk(file)
    go_to('func Max(')
    t:input(':Tandem test<CR>')
    t:shows('1 other file: diff')
    t:input(':Tandem diff<CR>')
    t:shows('+func TestMaxOfTwo(t *testing.T) {')
    t:shot('test-in-another-file')
    t:input(':quit<CR>')
    check('nothing is written before it is accepted', on_disk('semver/max_test.go') == '')
    t:input(':Tandem accept<CR>')
    no_edit()
    wait('the test on the disk', function()
      t:lua('vim.cmd("silent wall")') -- what was accepted is in a buffer first
      return on_disk('semver/max_test.go'):find('func TestMaxOfTwo(', 1, true)
    end)
    check('the file itself is as it was', t:text() == before)
    vim.uv.fs_unlink(e2e.workspace .. '/semver/max_test.go')
  end },
})

vim.list_extend(scenarios, require('answers')({
  file = file,
  t = function()
    return t
  end,
  go_to = go_to,
}))

vim.list_extend(scenarios, require('tasks')(file, function()
  return t
end, plain, quit, open))

vim.list_extend(scenarios, {
  { 'the server is killed, and nothing is lost', function()
    local pid, starts = e2e.server_pid(), e2e.initialized()
    t:input('Gzto<CR>// typed before<Esc>')
    vim.uv.kill(pid, 'sigkill')
    t:input('o// typed while there was no server<Esc>')
    t:shows('signal 9') -- Neovim's own message, which waits for a key
    t:dismiss()
    wait('a new server', function()
      local now = e2e.server_pid()
      return e2e.initialized() == starts + 1 and now and now ~= pid
    end)
    wait('the client to be attached again', function()
      return t:lua("local c = vim.lsp.get_clients({ name = 'tandem', bufnr = 0 })[1] return c ~= nil and c.initialized == true")
    end)
    t:input('o// lastPart splits off the last part.<CR>func lastPart(x string, i int) (part, rest string) {<CR>}<Esc>Oreturn x')
    t:shows('return x[:i], x[i:]')
    t:input('<Tab>')
    wait('the accepted text', function()
      return t:text():find('func lastPart(x string, i int) (part, rest string) {\n\treturn x[:i], x[i:]\n}\n', 1, true)
    end)
    save()
    check('everything typed is there', on_disk(file):find('// typed before\n// typed while there was no server\n// lastPart splits', 1, true))
  end },

  { 'quit', function()
    quit()
  end },
})

vim.list_extend(scenarios, require('next_edits')({
  file = file,
  t = function()
    return t
  end,
  open = open,
  quit = quit,
  save = save,
  go_to = go_to,
  plain = plain,
  count = count,
  answered_none = answered_none,
  forget = forget,
}))

e2e.scenarios(scenarios, function()
  t:shot('failure')
  io.stdout:write(t:screen() .. '\n')
  io.stdout:write(t:lua("return vim.fn.execute('messages')") .. '\n')
  t:kill()
end)
os.exit(0)
