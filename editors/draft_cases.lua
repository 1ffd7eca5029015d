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
  local draft, text = Draft.new(c.base), vim.deepcopy(c.base)
  local function splice(change)
    for _ = change.start, change['end'] - 1 do
      table.remove(text, change.start + 1)
    end
    for i, line in ipairs(change.lines) do
      table.insert(text, change.start + i, line)
    end
  end
  local function show(hunks, step)
    local changes = hunks and draft:plan(hunks)
    equal(c.name .. ': refused', changes == nil, step.refused or false)
    if changes then
      equal(c.name .. ': changes', step.changes or #changes, #changes)
      vim.iter(changes):each(splice)
      draft:commit(hunks)
    end
  end
  for _, step in ipairs(c.steps) do
    if step.show then
      show(step.show, step)
    elseif step.frame then
      show(draft:frame()(step.frame), step)
    elseif step.type then
      splice(step.type)
      local inside = draft:changed(step.type.start, step.type['end'], #step.type.lines)
      equal(c.name .. ': inside', inside, step.inside or false)
    elseif step.accept then
      draft:accept(step.accept + 1)
    elseif step.reject then
      local hunks = draft:hunks()
      table.remove(hunks, step.reject + 1)
      show(hunks, step)
    end
    if step.shown then
      equal(c.name .. ': shown', vim.iter(draft:shown()):map(function(h)
        return { h.start, h['end'] }
      end):totable(), step.shown)
    end
    equal(c.name, text, step.text)
  end
end
io.stdout:write(('ok    %d cases of edits that are shown while they are written\n'):format(#cases))
