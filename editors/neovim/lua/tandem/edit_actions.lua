---What the user can do with a streamed edit, by the name of the command.
local say = require('tandem.say')
local view = require('tandem.edit_view')

---@type table<string, fun(edit: tandem.StreamedEdit, words?: string)>
local M = {}

---@param text string
local function warn(text)
  say(text, vim.log.levels.WARN)
end

---The hunk at the cursor, else the next one.
---@return integer? index
local function at_cursor(edit)
  local row = vim.api.nvim_win_get_cursor(0)[1] - 1
  local list = edit.draft:shown()
  for i, h in ipairs(list) do
    if row >= h.start and row < math.max(h['end'], h.start + 1) then
      return i
    end
  end
  for i, h in ipairs(list) do
    if h.start >= row then
      return i
    end
  end
  return #list > 0 and 1 or nil
end

local function go_to(edit, index)
  local h = edit.draft:shown()[index]
  if h then
    vim.api.nvim_win_set_cursor(0, { math.min(h.start, vim.api.nvim_buf_line_count(0) - 1) + 1, 0 })
  end
end

function M.accept(edit)
  if edit.phase == 'writing' then
    return warn('it is still being written; accept it when it is ready, or stop it.')
  end
  edit:decided('accept')
end

function M.reject(edit)
  edit:decided('reject')
end

local function hunk(action)
  return function(edit)
    local i = at_cursor(edit)
    if edit.phase == 'writing' or not i then
      return warn(i and 'it is still being written; decide when it is ready, or stop it.' or 'nothing is changed.')
    end
    local answer = edit.answers[edit.index]
    local cut = answer and answer.proposal['end']
    if action == 'accept' and cut and not cut.whole then
      return warn(('its answer was cut: %s. Reject it, or accept all of it.'):format(cut.reason))
    end
    if action == 'accept' then
      if not edit:write(i) then
        return
      end
    else
      local left = vim.list_extend({}, edit.draft.hunks)
      table.remove(left, i)
      edit:show(left)
      edit:undecided(false)
    end
    if #edit.draft.hunks == 0 then
      return edit:decided(answer and answer.partly_accepted and 'accept' or 'reject', true) -- each change was the user's own decision
    end
    go_to(edit, math.min(i, #edit.draft.hunks))
  end
end
M['accept-change'], M['reject-change'] = hunk('accept'), hunk('reject')

local function move(step)
  return function(edit)
    local row = vim.api.nvim_win_get_cursor(0)[1] - 1
    local list = edit.draft:shown()
    local found
    for i, h in ipairs(list) do
      if step > 0 and h.start > row then
        found = found or i
      elseif step < 0 and h.start < row then
        found = i
      end
    end
    go_to(edit, found or (step > 0 and 1 or #list))
  end
end
M['next-change'], M['previous-change'] = move(1), move(-1)

---Shows what the edit does to other files.
function M.diff(edit)
  local answer = edit.answers[edit.index]
  local others = answer and view.others(edit) or {}
  if #others == 0 then
    return warn('it changes no other file; what it changes here is marked.')
  end
  require('tandem.proposal').show(others)
end

function M.stop(edit)
  edit:stop('stopped')
end

function M.again(edit)
  edit:rerun({ attempt = edit.attempts })
end

function M.deeper(edit)
  edit.lane = 'deep'
  edit:rerun({ attempt = edit.attempts })
end

function M.alternatives(edit)
  if #edit.answers > 1 then
    edit:choose(edit.index % #edit.answers + 1)
  else
    edit:rerun({ attempt = edit.attempts, alternatives = 1 })
  end
end

function M.complete(edit)
  local answer = edit.answers[edit.index]
  if answer then
    require('tandem.client').execute('completeChange', { id = answer.proposal.id })
  end
end

function M.steer(edit, words)
  local answer = edit.answers[edit.index]
  if answer then
    return edit:rerun({ after = answer.proposal.id, steering = words })
  end
  edit.instruction = edit.instruction .. '\n' .. words
  edit:rerun({})
end

return M
