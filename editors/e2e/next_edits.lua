-- The scenarios of next edits in Neovim.
local e2e = require('terminal')
local recording = require('recording')
local check, wait, on_disk = e2e.check, e2e.wait, e2e.on_disk

-- What an unmodified plugin for next edits sends and relies on: it uses the
-- first client whose name contains "copilot", sends the buffer's version, drops
-- an answer for any other version, applies every edit and then runs its command.
local plugin = [[
  local client = vim.iter(vim.lsp.get_clients({ bufnr = 0 })):find(function(c) return c.name:lower():find('copilot') end)
  local uri = vim.uri_from_bufnr(0)
  client:notify('textDocument/didFocus', { textDocument = { uri = uri } })
  local params = vim.lsp.util.make_position_params(0, client.offset_encoding)
  params.textDocument.version = vim.lsp.util.buf_versions[vim.api.nvim_get_current_buf()]
  params.context = { triggerKind = 2 }
  local _, superseded = client:request('textDocument/copilotInlineEdit', params, function() end)
  client:cancel_request(superseded)
  local answer = client:request_sync('textDocument/copilotInlineEdit', params, 10000, 0)
  if not answer or answer.err or #answer.result.edits == 0 then
    return 0
  end
  local edits = answer.result.edits
  for _, edit in ipairs(edits) do
    assert(edit.textDocument.uri == uri and edit.textDocument.version == vim.lsp.util.buf_versions[vim.api.nvim_get_current_buf()])
  end
  client:notify('textDocument/didShowInlineEdit', { item = { command = edits[1].command } })
  vim.lsp.util.apply_text_edits(vim.tbl_map(function(e) return { range = e.range, newText = e.text } end, edits), vim.api.nvim_get_current_buf(), client.offset_encoding)
  client:exec_cmd(edits[1].command, { bufnr = 0 })
  return #edits]]

---@class e2e.Session
---@field file string the file that is open
---@field t fun(): table the Neovim of now
---@field open fun(client: string)
---@field quit fun()
---@field save fun()
---@field go_to fun(words: string, column?: integer)
---@field plain fun(text: string, old: string, new: string): string a text with one part of it replaced
---@field count fun(text: string, pattern: string): integer
---@field answered_none fun(): integer how often the server has answered that it has no next edit
---@field forget fun(text: string) brings a text back, after which no next edit is on the screen

---@param session e2e.Session
return function(session)
  local file, t, open, quit, save, go_to = session.file, session.t, session.open, session.quit, session.save, session.go_to
  local plain, count, answered_none, forget = session.plain, session.count, session.answered_none, session.forget
  return {
    { 'next edit near the cursor: apply it, undo it alone', function()
      open('tandem')
      local before = on_disk(file)
      go_to('type ByVersion []string')
      t():input('kA It sorts them in place.<Esc>j')
      t():shows('type ByVersion []string // in place')
      local row = e2e.line_of(before, 'type ByVersion []string')
      t():draws('tandem.next_edit', {
        row .. ' eol: tandem: next edit',
        row .. ' line: DiffChange',
        row .. ' sign: →',
        row + 1 .. ' above: type ByVersion []string // in place',
      })
      t():shot('next-edit-near')
      local typed = t():text()
      check('nothing is written', typed:find('type ByVersion []string\n', 1, true))
      t():input('<Tab>')
      wait('the edit', function()
        return t():text() == plain(typed, 'type ByVersion []string', 'type ByVersion []string // in place')
      end)
      t():input('u')
      wait('one undo to take it back and nothing else', function()
        return t():text() == typed
      end)
      forget(before)
    end },

    { 'next edit in another file: jump, apply, undo', function()
      local user = 'module/module.go'
      local before, there = on_disk(file), on_disk(user)
      go_to('func Build(')
      t():input(':s/Build/BuildOf/<CR>')
      t():shows('// BuildOf returns') -- the comment is of this file
      t():input('<Tab>')
      wait('the comment', function()
        return t():lua('return vim.api.nvim_get_current_line()'):find('// Build returns', 1, true)
      end)
      t():input('<Tab>')
      wait('the comment to be changed', function()
        return t():lua('return vim.api.nvim_get_current_line()'):find('// BuildOf returns', 1, true)
      end)
      t():shows('tandem: next edit at module.go:') -- below the line, which leaves no space for it
      local drawn = t():drawn('tandem.next_edit')
      check('the hint is a line of its own, with a sign: ' .. table.concat(drawn, ', '), #drawn == 2 and drawn[1]:find('below: tandem: next edit at module.go:', 1, true) and vim.endswith(drawn[2], 'sign: →'))
      t():input('<Tab>')
      wait('the other file', function()
        return t():lua("return vim.fn.expand('%:t')") == 'module.go'
      end)
      t():shows('BuildOf(') -- what the edit writes
      local other = t():text()
      check('a jump changes nothing', other == there)
      t():input('<Tab>')
      wait('the call to be changed', function()
        return t():text() ~= other and count(t():text(), 'BuildOf%(') == 1
      end)
      t():input('u')
      wait('one undo to take it back', function()
        return t():text() == other
      end)
      t():input(':edit! ' .. file .. '<CR>')
      wait('the file', function()
        return t():lua("return vim.fn.expand('%:t')") == 'semver.go'
      end)
      forget(before)
      check('the other file is as it was', on_disk(user) == there)
    end },

    { 'next edit dismissed: no place of its change is offered again', function()
      local before = on_disk(file)
      local declared = e2e.line_of(t():text(), 'func isBadNum(')
      go_to('func isBadNum(')
      t():input(':s/isBadNum/badNumber/<CR>')
      local places = count(before, 'isBadNum%(') - 1
      wait('a next edit', function()
        return t():screen():find('tandem: next edit at line', 1, true)
      end)
      t():input(':Tandem dismiss<CR>')
      wait('no next edit', function()
        return not t():screen():find('tandem: next edit', 1, true)
      end)
      local none = answered_none()
      t():input(declared .. 'GA // bad<Esc>') -- a change asks again
      wait('the server to have nothing to offer', function()
        return answered_none() > none
      end)
      check('no place is offered again', not t():screen():find('tandem: next edit', 1, true))
      check('the calls are as they were', count(t():text(), 'isBadNum%(') == places)
      forget(before)
    end },

    { 'next edit typed along: the rest stays, and Tab writes it', function()
      local before = on_disk(file)
      go_to('type ByVersion []string')
      t():input('kA It sorts them in place.<Esc>j')
      t():shows('type ByVersion []string // in place')
      t():input('A // in<Esc>')
      t():shows('type ByVersion []string // in   tandem: next edit')
      t():shows('type ByVersion []string // in place')
      check('only what was typed is written', t():text():find('type ByVersion []string // in\n', 1, true))
      t():input('<Tab>')
      wait('the rest', function()
        return t():text():find('type ByVersion []string // in place\n', 1, true)
      end)
      forget(before)
    end },

    { 'next edit typed against: it goes', function()
      local before = on_disk(file)
      t():input('gg0ix<Esc>x') -- else what follows would bring back what the last scenario took away last
      go_to('type ByVersion []string')
      t():input('kA It sorts them in place.<Esc>j')
      t():shows('type ByVersion []string // in place')
      t():input('A /* other<Esc>')
      wait('the edit to be gone', function()
        return not t():screen():find('// in place', 1, true) and t():screen():find('/* other', 1, true)
      end)
      check('only what was typed is written', t():text():find('type ByVersion []string /* other\n', 1, true))
      forget(before)
    end },

    { 'next edit beside a completion menu and a snippet: Tab is theirs', function()
      local before = on_disk(file)
      go_to('func comparePrerelease(')
      t():input(':s/comparePrerelease/orderPrerelease/<CR>')
      t():shows('tandem: next edit at line')
      t():input('ggO// compare<C-x><C-n>')
      wait('the menu with an entry selected', function()
        return t():lua("return vim.fn.pumvisible() == 1 and vim.fn.complete_info({ 'selected' }).selected >= 0")
      end)
      t():input('<Tab><Esc>')
      wait('what the menu has written, and a Tab', function()
        return t():text():match('^// compare%w*\t\n')
      end)
      t():input('O')
      t():lua("vim.snippet.expand('zz(${1:one}, ${2:two})$0')")
      wait('the snippet', function()
        return t():text():sub(1, 12) == 'zz(one, two)'
      end)
      t():input('1<Tab>')
      wait('the second placeholder to be selected', function()
        return t():text():sub(1, 10) == 'zz(1, two)' and t():lua('return vim.fn.mode()') == 's'
      end)
      t():input('2<Tab>')
      wait('the snippet with its values', function()
        return t():text():sub(1, 8) == 'zz(1, 2)'
      end)
      t():input('<Esc>')
      t():shows('tandem: next edit at line') -- while the file does not parse
      check('the call is as it was', t():text():find('return comparePrerelease(', 1, true))
      forget(before)
    end },

    { 'a rename to its last place, by Tab alone', function()
      local before = on_disk(file)
      go_to('func isBadNum(')
      t():input('zt')
      local recorded = recording.start(t())
      recording.pause(1500)
      t():input(':s/isBadNum/isZeroLed/<CR>')
      local places = count(before, 'isBadNum')
      local function state()
        return t():text() .. t():lua('return vim.fn.line(".")')
      end
      repeat
        wait('a next edit', function()
          return t():lua([[local ns = vim.api.nvim_get_namespaces()['tandem.next_edit']
            return ns and #vim.api.nvim_buf_get_extmarks(0, ns, 0, -1, {}) > 0]])
        end)
        recording.pause(900)
        local was = state()
        t():input('<Tab>')
        wait('a jump or a change', function()
          return state() ~= was
        end)
      until not t():text():find('isBadNum', 1, true)
      recording.compare(t(), 'neovim-rename.svg')
      recording.pause(900)
      recording.save(recorded, e2e.out .. '/rename.svg')
      check('every place has the new name', count(t():text(), 'isZeroLed') == places)
      forget(before)
    end },

    { 'see the next edit after a change, jump to it, apply it', function()
      go_to('func comparePrerelease(')
      t():input(':s/comparePrerelease/orderPrerelease/<CR>')
      t():shows('tandem: next edit at line')
      local changed = t():text()
      t():input('<Tab>')
      t():shows('return orderPrerelease(pv.prerelease')
      check('a jump changes nothing', t():text() == changed)
      t():shot('next-edit')
      t():input('<Tab>')
      wait('the edit', function()
        return t():text() == changed:gsub('return comparePrerelease', 'return orderPrerelease')
      end)
      save()
    end },

    { 'the message for what is staged', function()
      check('it is staged', vim.system({ 'git', 'add', file }, { cwd = e2e.workspace }):wait().code == 0)
      t():input(':edit .git/COMMIT_EDITMSG<CR>:%delete<CR>:Tandem commit<CR>')
      t():shows('Order prereleases by a name of its own')
      t():input(':bwipeout!<CR>')
      quit()
    end },

    { 'next edits for a plugin that looks for a client named copilot', function()
      open('tandem-copilot')
      go_to('func isBadNum(')
      t():input(':s/isBadNum/badNumber/<CR>')
      wait('the name to be changed where it is declared', function()
        return t():text():find('func badNumber(', 1, true)
      end)
      local before = t():text()
      wait('one edit to be offered', function() return t():lua(plugin) == 1 end) -- not before the folder is indexed
      check('it changes the call', t():text() == before:gsub('isBadNum%(', 'badNumber(', 1))
      save()
      quit()
    end },
  }
end
