-- Runs draft_cases.json against lua/tandem/draft.lua: nvim --clean -l draft_cases.lua
local here = vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2))
package.path = here .. '/neovim/lua/?.lua;' .. package.path
local Draft = require('tandem.draft')
local cases = vim.json.decode(table.concat(vim.fn.readfile(here .. '/draft_cases.json'), '\n'))

local function equal(name, got, want)
  if not vim.deep_equal(got, want) then
    error(('%s: %s, want %s'):format(name, vim.inspect(got), vim.inspect(want)), 0)
  end
end

for _, c in ipairs(cases) do
  local draft, text = Draft.new(#c.base, c.place and { start = c.place[1], ['end'] = c.place[2] }), vim.deepcopy(c.base)
  local function type_in(change)
    for _ = change.start, change['end'] - 1 do
      table.remove(text, change.start + 1)
    end
    for i, line in ipairs(change.lines) do
      table.insert(text, change.start + i, line)
    end
    return draft:changed(change.start, change['end'], #change.lines)
  end
  for _, step in ipairs(c.steps) do
    local lost = false
    if step.show then
      lost = not draft:show(step.show)
    elseif step.type then
      lost = type_in(step.type)
    elseif step.take then
      lost = type_in(draft:shown()[step.take + 1])
    end
    equal(c.name .. ': lost', lost, step.lost or false)
    equal(c.name .. ': shown', vim.iter(draft:shown()):map(function(h)
      return { h.start, h['end'] }
    end):totable(), step.shown)
    equal(c.name, text, step.text or text)
    local place = draft.place
    equal(c.name .. ': place', place and { place.start, place['end'] }, step.place or place and { place.start, place['end'] })
  end
end
io.stdout:write(('ok    %d cases of edits that are drawn while they are written\n'):format(#cases))
