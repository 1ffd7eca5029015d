-- The scenarios of edits that are drawn while they are written.
local e2e = require('terminal')
local check, wait, on_disk = e2e.check, e2e.wait, e2e.on_disk

---@class e2e.Session
---@field file string that is open
---@field t fun(): table the Neovim of now
---@field go_to fun(words: string, column?: integer)
---@field select fun(declaration: string) the seven lines of a function
---@field save fun()
---@field reset fun(text: string)
---@field ready fun() waits for the answer
---@field no_edit fun() waits until no edit is left
---@field plain fun(text: string, old: string, new: string): string

local prerelease = [[
func Prerelease(v string) string {
	pv, ok := parse(v)
	if !ok {
		return ""
	}
	return pv.prerelease
}
]]

---@param s e2e.Session
return function(s)
  return {
    { 'an edit is written into the text, accepted, and undone at once', function()
      local before = on_disk(s.file)
      s.select('func Prerelease(')
      s.t():input(':Tandem edit<CR>')
      s.t():shows('tokens, about $')
      s.t():input('name the parsed version<CR>')
      s.t():shows('return parsed.prerelease')
      s.t():shows('accept · reject')
      s.t():shot('streamed-edit')
      wait('from top to bottom: what it is, what goes, what comes', function()
        local rows = vim.split(s.t():screen(), '\n')
        local function row(words)
          return vim.iter(ipairs(rows)):find(function(_, line) return line:find(words, 1, true) end) or 0
        end
        local gone = row('pv, ok := parse(v)')
        return gone > 0 and row(':Tandem accept') < gone and gone + 1 == row('parsed, ok := parse(v)')
      end)
      s.t():input('\\a')
      s.no_edit()
      s.save()
      local after = prerelease:gsub('pv', 'parsed')
      local at, stop = before:find(prerelease, 1, true)
      check('the selection is edited, and nothing else', on_disk(s.file) == before:sub(1, at - 1) .. after .. before:sub(stop + 1))
      s.t():input('u')
      s.save()
      check('one undo takes all of it back', on_disk(s.file) == before)
    end },

    { 'try again, ask the deep model, look at both answers, steer, reject', function()
      local before = on_disk(s.file)
      s.select('func Prerelease(')
      s.t():input(':Tandem edit name the parsed version<CR>')
      s.t():shows('return p.prerelease')
      s.t():shows('accept · reject')
      s.t():input('\\d')
      s.t():shows('return deeply.prerelease')
      s.t():shows('answer 2 of 2')
      s.t():input('\\n')
      s.t():shows('return p.prerelease')
      s.t():input('\\s')
      s.t():shows('Steer:')
      s.t():input('call it version, please<CR>')
      s.t():shows('return version.prerelease')
      s.t():shows('answer 3 of 3')
      s.t():input('\\r')
      s.no_edit()
      check('rejecting restores every byte', s.t():text() == before)
    end },

    { 'accept one change and reject the other', function()
      local before = on_disk(s.file)
      s.select('func compareVersion(')
      s.t():input(':Tandem edit order instead of cmp<CR>')
      s.t():shows('order := Compare(a, b)')
      s.t():shows('accept · reject')
      local head = e2e.line_of(before, 'func compareVersion(')
      s.t():draws('tandem.streamed_edit', {
        head .. ' above: // compareVersion orders versions, and equal ones by their text.',
        head .. ' above: :Tandem accept · reject · next-change · again · deeper · steer',
        head .. ' above: tandem · fast: scripted-fast',
        head + 1 .. ' line: DiffDelete',
        head + 1 .. ' sign: -',
        head + 2 .. ' line: DiffDelete',
        head + 2 .. ' sign: -',
        head + 3 .. ' line: DiffDelete',
        head + 3 .. ' sign: -',
        head + 4 .. ' above: if order != 0 {',
        head + 4 .. ' above: order := Compare(a, b)',
        head + 4 .. ' above: return order',
      })
      check('nothing is in the buffer', s.t():text() == before)
      s.t():shot('removed-text')
      s.go_to('cmp := Compare(a, b)')
      s.t():input('\\y')
      s.t():input('\\u')
      s.no_edit()
      check('one change is made', s.t():text() == s.plain(before, '\tcmp := Compare(a, b)\n\tif cmp != 0 {\n\t\treturn cmp', '\torder := Compare(a, b)\n\tif order != 0 {\n\t\treturn order'))
      s.t():input('u')
      wait('the text as it was', function()
        return s.t():text() == before
      end)
    end },

    { 'accept one change, and steer: the edit continues from what was accepted', function()
      local before = on_disk(s.file)
      s.select('func compareVersion(')
      s.t():input(':Tandem edit order instead of cmp<CR>')
      s.t():shows('order := Compare(a, b)')
      s.ready()
      s.go_to('cmp := Compare(a, b)')
      s.t():input('\\y')
      wait('one change to be accepted', function()
        return s.t():text():find('order := Compare(a, b)', 1, true)
      end)
      s.t():input('\\s')
      s.t():shows('Steer:')
      s.t():input('call it rank, please<CR>')
      s.t():shows('return rank')
      s.t():shows('answer 2 of 2')
      s.t():input('\\n')
      s.t():shows('answer 1 of 2')
      s.t():shows('// compareVersion orders versions')
      s.t():input('\\n')
      s.t():shows('answer 2 of 2')
      s.t():input('\\a')
      s.no_edit()
      check('both changes are made', s.t():text() == s.plain(before, '\tcmp := Compare(a, b)\n\tif cmp != 0 {\n\t\treturn cmp', '\trank := Compare(a, b)\n\tif rank != 0 {\n\t\treturn rank'))
      s.reset(before)
    end },

    { 'type elsewhere and save while it is written, then reject', function()
      local before = on_disk(s.file)
      s.select('func Build(')
      e2e.hold()
      s.t():input(':Tandem edit say what each step does<CR>')
      s.t():shows('// Nothing more is known of it,')
      local body = e2e.line_of(before, 'func Build(') + 1
      s.t():draws('tandem.streamed_edit', { -- what it has written so far, below what that replaces
        body .. ' above: // A version that cannot be parsed has no build suffix.',
        body .. ' above: tandem is writing …   :Tandem stop · reject · steer',
        body + 1 .. ' line: DiffDelete',
        body + 1 .. ' sign: -',
        body + 2 .. ' line: DiffDelete',
        body + 2 .. ' sign: -',
        body + 3 .. ' above: // Nothing more is known of it,',
        body + 3 .. ' above: // so the answer is empty,',
      })
      s.t():shot('writing')
      s.t():input('ggi// typed meanwhile <Esc>:silent write<CR>')
      wait('what was typed and no half answer on the disk', function()
        return on_disk(s.file) == '// typed meanwhile ' .. before -- the editor writes a file in parts
      end)
      e2e.go_on()
      s.ready()
      s.go_to('func Build(')
      s.t():shows('// as it is for the other parts.')
      s.t():shows('accept · reject')
      s.t():input('\\r')
      s.no_edit()
      check('rejecting restores every byte and keeps what was typed', s.t():text() == '// typed meanwhile ' .. before)
      s.t():input('gg0df df df ')
      s.save()
      check('as before', on_disk(s.file) == before)
    end },

    { 'written after 100 ms, formatted: nothing reaches the disk before it is accepted', function()
      s.t():lua([[
        local group, timer = vim.api.nvim_create_augroup('e2e.autosave', {}), vim.uv.new_timer()
        vim.api.nvim_create_autocmd('BufWritePre', { group = group, command = 'silent! %s/\\s\\+$//e' })
        vim.api.nvim_create_autocmd({ 'TextChanged', 'TextChangedI', 'InsertLeave' }, { group = group, callback = function()
          timer:start(100, 0, vim.schedule_wrap(function() vim.cmd('silent! wall') end))
        end })]])
      local before, typed = on_disk(s.file), ''
      local kinds = { { 'func Prerelease(', 'say what is returned', '// or is empty.' }, { 'func compareVersion(', 'order instead of cmp', 'order := Compare(a, b)' } }
      local edits = tonumber(vim.env.E2E_EDITS or 4)
      for i = 1, edits do
        local declaration, instruction, text = unpack(kinds[i % 2 + 1])
        s.select(declaration)
        s.t():input((':Tandem edit %s<CR>'):format(instruction))
        s.t():shows(text)
        s.ready()
        s.t():input(('ggO// typed %d  <Esc>'):format(i))
        typed = ('// typed %d\n'):format(i) .. typed
        wait('what was typed to be written by itself, formatted, and nothing else', function()
          return on_disk(s.file) == typed .. before
        end)
        s.t():lua("vim.cmd('silent write')")
        check(('edit %d is in no file'):format(i), on_disk(s.file) == typed .. before)
        s.go_to(declaration)
        s.t():input('\\r')
        s.no_edit()
      end
      s.select('func Prerelease(')
      s.t():input(':Tandem edit say what is returned<CR>')
      s.ready()
      s.t():input('\\a')
      wait('what was accepted to be written by itself', function()
        return on_disk(s.file):find('// or is empty.', 1, true)
      end)
      s.t():lua("vim.api.nvim_del_augroup_by_name('e2e.autosave')")
      s.reset(before)
      io.stdout:write(('      %d edits, 0 bytes of them on the disk before acceptance\n'):format(edits))
    end },

    { 'two edits at once', function()
      local before = on_disk(s.file)
      s.select('func Build(')
      e2e.hold()
      s.t():input(':Tandem edit say what each step does<CR>')
      s.t():shows('tandem is writing')
      s.select('func Prerelease(')
      s.t():input(':Tandem edit say what is returned<CR>')
      e2e.go_on()
      wait('both to be ready', function()
        return s.t():lua("return #vim.tbl_filter(function(e) return e.phase == 'ready' end, require('tandem.streamed_edit').all())") == 2
      end)
      s.t():shot('two-edits')
      s.go_to('return pv.prerelease')
      s.t():input('\\a')
      s.go_to('return pv.build')
      s.t():input('\\r')
      s.no_edit()
      check('one is made', s.t():text() == s.plain(before, '\treturn pv.prerelease', '\t// The suffix begins with a hyphen,\n\t// or is empty.\n\treturn pv.prerelease'))
      s.reset(before)
    end },

    { 'typing inside ends the stream, and nothing typed is lost', function()
      local before = on_disk(s.file)
      s.select('func Build(')
      e2e.hold()
      s.t():input(':Tandem edit say what each step does<CR>')
      s.t():shows('// Nothing more is known of it,')
      s.go_to('func Build(')
      s.t():input('jjA // I know more.<Esc>')
      s.t():shows('you typed in it')
      e2e.go_on()
      s.t():input('\\a')
      s.no_edit()
      local comment = '\t// A version that cannot be parsed has no build suffix.\n' -- a change of its own, which stays
      local from = before:find('\tpv, ok := parse(v)', before:find('func Build(', 1, true), true)
      check('what was typed is there, and the change that it is in is not', s.t():text() == before:sub(1, from - 1) .. comment .. s.plain(before:sub(from), 'if !ok {', 'if !ok { // I know more.'))
      s.reset(before)
    end },

    { 'the server is killed while it writes: the text is as before', function()
      local before, pid, starts = on_disk(s.file), e2e.server_pid(), e2e.initialized()
      s.select('func Build(')
      e2e.hold()
      s.t():input(':Tandem edit say what each step does<CR>')
      s.t():shows('// Nothing more is known of it,')
      vim.uv.kill(pid, 'sigkill')
      e2e.go_on()
      s.t():shows('signal 9') -- Neovim's own message, which waits for a key
      s.t():dismiss()
      s.t():shows('its half answer is gone')
      s.no_edit()
      check('the text is as it was', s.t():text() == before)
      wait('a new server', function()
        return e2e.initialized() == starts + 1
      end)
      wait('the client to be attached again', function()
        return s.t():lua("local c = vim.lsp.get_clients({ name = 'tandem', bufnr = 0 })[1] return c ~= nil and c.initialized == true")
      end)
    end },

    { 'a file of CR LF lines stays one', function()
      local before = on_disk('crlf.go')
      s.t():input(':edit crlf.go<CR>')
      wait('the client to be attached', function()
        return s.t():lua("return vim.bo.fileformat == 'dos' and vim.lsp.get_clients({ name = 'tandem', bufnr = 0 })[1] ~= nil")
      end)
      s.go_to('func greeting(')
      s.t():input('V2j:Tandem edit greet the world<CR>')
      s.t():shows('hello, world')
      s.t():shows('accept · reject')
      s.t():input('\\a')
      s.no_edit()
      s.t():input(':silent write<CR>')
      wait('every line to end in CR LF', function()
        return on_disk('crlf.go') == s.plain(before, '\treturn "hello"', '\t// The whole world.\r\n\treturn "hello, world"')
      end)
      s.t():input(':edit ' .. s.file .. '<CR>')
    end },

    { '50,000 lines', function()
      local before = on_disk('big.go')
      s.t():input(':edit big.go<CR>')
      wait('the client to be attached', function()
        return s.t():lua("return vim.fn.bufname() == 'big.go' and vim.lsp.get_clients({ name = 'tandem', bufnr = 0 })[1] ~= nil")
      end)
      s.go_to('var v25000 ')
      s.t():input('V:Tandem edit make it two<CR>')
      s.t():shows('var v25000 = 2 // two')
      s.t():shows('accept · reject')
      s.t():input('\\r')
      s.no_edit()
      check('rejecting restores every byte', s.t():text() == before)
      s.t():input(':edit! ' .. s.file .. '<CR>')
    end },
  }
end
