---Edits that are drawn in their buffer while they are written: asks the server for
---them, keeps each in step with its buffer, and takes the user's decisions.
local Draft = require('tandem.draft')
local actions = require('tandem.edit_actions')
local partial = require('tandem.partial')
local view = require('tandem.edit_view')
local say = require('tandem.say')
local M = {}

---@class (private) tandem.Answer
---@field proposal tandem.Proposal
---@field hunks tandem.LineChange[] that are not decided, as changes of the base of its edit
---@field partly_accepted? boolean

---One edit of a buffer, from the request to the user's decision. The buffer is changed by
---what the user accepts alone: until then the edit is drawn.
---@class tandem.StreamedEdit
---@field buf integer
---@field client_id integer
---@field draft tandem.Draft
---@field kind 'edit'|'fix'|'debug'|'document'|'test'
---@field instruction string what the user says; the kinds fix, document and test need nothing
---@field lane? string
---@field range lsp.Range of the text that the edit was asked about
---@field problems? lsp.Diagnostic[] to fix, of that text
---@field all? boolean the problems are all of one kind, wherever they are in the range
---@field phase 'writing'|'ready'|'over'
---@field note string why the answer ended before its end
---@field answers tandem.Answer[]
---@field index integer the answer that is shown
---@field attempts integer
---@field request? integer the running request
---@field running? string the proposal that is being written
---@field checking boolean all of it is written, and the server judges it
local Edit = {}
Edit.__index = Edit

---Edits that are not decided, oldest first.
---@type tandem.StreamedEdit[]
local edits = {}

---Ready proposals whose request has not been answered yet, and who waits for which.
---@type table<string, tandem.Proposal>
local ready = {}
---@type table<string, fun(p: tandem.Proposal)>
local waiting = {}

---@param text string
local function warn(text)
  say(text, vim.log.levels.WARN)
end

---The edits of a buffer that are not decided, oldest first.
---@param buf integer
---@return tandem.StreamedEdit[]
function M.of(buf)
  return vim.tbl_filter(function(e)
    return e.buf == buf
  end, edits)
end

---Draws hunks in place of those before.
---@param hunks tandem.LineChange[]
function Edit:show(hunks)
  local whole = self.draft:show(hunks)
  if not whole and self.phase == 'writing' then
    self:stop('you changed text that it would replace')
  elseif not whole then
    self.note = 'you changed text that a change would replace, which is left out'
  end
  view.draw_soon(self.buf)
end

---The buffer has changed.
function Edit:lines_changed(first, last_old, last_new)
  local phase = self.phase -- a piece of the answer that comes before what is scheduled may stop it, too
  if self.draft:changed(first, last_old, last_new - first) then
    vim.schedule(function()
      if self.phase == 'over' then
        return
      elseif phase == 'writing' then
        self:stop('you typed in it')
      elseif phase == 'ready' then
        self.note = 'you typed in a change, which is left out'
        view.draw_soon(self.buf)
      end
    end)
  end
  view.draw_soon(self.buf)
end

---The hunks that are drawn are those of the answer that wait.
---@param accepted boolean the others were accepted
function Edit:undecided(accepted)
  local answer = self.answers[self.index]
  if answer then
    answer.hunks, answer.partly_accepted = self.draft.hunks, answer.partly_accepted or accepted
  end
end

---Writes what is drawn into the buffer, or one change of it, as an undo step of its own. False
---where the buffer takes no change: all is drawn still.
---@param index? integer
---@return boolean
function Edit:write(index)
  if not vim.api.nvim_buf_is_loaded(self.buf) or not vim.bo[self.buf].modifiable then
    warn('the buffer takes no change; make it modifiable and accept again.')
    return false
  end
  local shown, left = self.draft:shown(), {}
  for i, h in ipairs(self.draft.hunks) do
    left[#left + 1] = index and i ~= index and h or nil
  end
  self.draft:show(left)
  vim.api.nvim_buf_call(self.buf, function()
    vim.bo.undolevels = vim.bo.undolevels -- ends the step that the user's typing is in
    for i = #shown, 1, -1 do
      local h = shown[i]
      if not index or i == index then
        vim.api.nvim_buf_set_lines(self.buf, h.start, h['end'], false, h.lines)
      end
    end
  end)
  self:undecided(index ~= nil)
  view.draw_soon(self.buf)
  return true
end

---Ends the stream and keeps what has been written so far for the user to decide.
---@param why string
function Edit:stop(why)
  self.note, self.phase = why, 'ready'
  self:cancel()
  view.draw_soon(self.buf)
end

function Edit:cancel()
  local client = vim.lsp.get_client_by_id(self.client_id)
  if client and self.request then
    client:cancel_request(self.request)
  end
  self.request = nil
end

---The edit is decided: the buffer is as it shall be.
function Edit:finish()
  self.phase = 'over'
  self:cancel()
  edits = vim.tbl_filter(function(e)
    return e ~= self
  end, edits)
  view.draw_soon(self.buf)
  if #M.of(self.buf) == 0 then
    require('tandem.edit_keys').remove(self.buf)
  end
end

---Makes the buffer as it is now the base: of the question, and of the answers so far without the
---changes whose lines were changed. False if the lines that the edit was asked about are gone.
---@return boolean
function Edit:rebase()
  local draft, place, range = self.draft, self.draft.place, self.range
  if place.start == place['end'] then
    return false
  end
  local first, last = draft:current(range.start.line), draft:current(range['end'].line)
  self.range = {
    start = { line = place.start, character = first == place.start and range.start.character or 0 },
    ['end'] = { line = place['end'] - 1, character = last == place['end'] - 1 and range['end'].character or vim.v.maxcol },
  }
  self.problems = self.problems and vim.iter(self.problems):map(function(p)
    local at, stop = draft:current(p.range.start.line), draft:current(p.range['end'].line)
    return at and stop and vim.tbl_deep_extend('force', p, { range = { start = { line = at }, ['end'] = { line = stop } } })
  end):totable()
  for _, answer in ipairs(self.answers) do
    answer.hunks = draft:moved(answer.hunks)
  end
  self.draft = Draft.new(vim.api.nvim_buf_line_count(self.buf), place)
  return true
end

---Hunks as lines of the base, where the last line of a text has no line of its own.
---@param list tandem.LineChange[]
local function clipped(list, count)
  return vim.tbl_map(function(h)
    local lines = h.lines
    if h['end'] > count and lines[#lines] == '' then
      lines = vim.list_slice(lines, 1, #lines - 1)
    end
    return { start = math.min(h.start, count), ['end'] = math.min(h['end'], count), lines = lines }
  end, list)
end

---Sends the request and follows it to its end.
---@param more table what it asks besides the question
function Edit:run(more)
  local client = vim.lsp.get_client_by_id(self.client_id)
  if not client then
    return
  elseif not self:rebase() then
    self:finish()
    return warn('select lines and ask again: you have removed those that it was asked about.')
  end
  self.phase, self.note, self.checking, self.attempts = 'writing', '', false, self.attempts + 1
  local count = vim.api.nvim_buf_line_count(self.buf)
  local first, me
  local function running()
    return self.phase == 'writing' and self.request == me
  end
  local token, forget = partial.token(function(value)
    local p = value.proposal
    first = first or p.id
    self.running = first
    if p.id == first and p.draft and running() then
      self:show(clipped(p.draft.hunks, count))
    end
  end)
  local params = vim.tbl_extend('force', {
    textDocument = { uri = vim.uri_from_bufnr(self.buf) },
    range = self.range,
    kind = self.kind,
    instruction = self.instruction,
    diagnostics = self.problems,
    all = self.all,
    lane = self.lane,
    draft = true,
    partialResultToken = token,
  }, more)
  local _, id = client:request('tandem/edit', params, function(err, result)
    forget()
    if not running() then
      return
    elseif err then
      self:finish()
      return require('tandem.client').failed(err)
    end
    self:when_ready(result.proposalId, function(p)
      if running() then
        self:complete(p, count)
      end
    end)
  end, self.buf)
  me, self.request = id, id
  view.draw_soon(self.buf)
end

---The ready state of a proposal may come before or after the answer to its request.
function Edit:when_ready(id, done)
  if ready[id] then
    return done(ready[id])
  end
  waiting[id] = done
end

function Edit:complete(p, count)
  local at = #self.answers
  for _, id in ipairs(vim.list_extend({ p.id }, p.alternatives or {})) do
    local one = id == p.id and p or ready[id]
    if one and one.draft then
      self.answers[#self.answers + 1] = { proposal = one, hunks = clipped(one.draft.hunks, count) }
    end
    ready[id] = nil
  end
  self.request = nil
  self:choose(at + 1)
end

---Draws one of the answers.
function Edit:choose(index)
  self.index, self.phase, self.note = index, 'ready', ''
  self:show(self.answers[index].hunks)
end

---Asks again; the answers so far stay to choose from.
function Edit:rerun(more)
  self:stop('')
  self:show({})
  self:run(more)
end

---Ends the edit and reports the decision; the server applies what the edit does to other
---files. What is accepted is written where the server agrees: an answer that failed its checks
---stays undecided unless the user applies it anyway.
---@param action 'accept'|'reject'
---@param force? boolean
function Edit:decided(action, force)
  local answer = self.answers[self.index]
  local client = vim.lsp.get_client_by_id(self.client_id)
  local function done()
    self.agreed = action == 'accept' and answer or nil
    if action == 'reject' or self:write() then
      self:finish()
    end
  end
  if action == 'accept' and answer and client and self.agreed ~= answer then
    return require('tandem.client').accept({ id = answer.proposal.id, force = force }, done, self.buf)
  end
  done()
  if action == 'reject' and answer and client then
    client:request('tandem/resolve', { id = answer.proposal.id, action = action }, function(err)
      if err then
        warn(err.message)
      end
    end, self.buf)
  end
end

---All edits that are not decided, oldest first.
---@return tandem.StreamedEdit[]
function M.all()
  return edits
end

---Whether an edit of a buffer is not decided.
---@param buf integer
---@return boolean
function M.busy(buf)
  return #M.of(buf) > 0
end

---The undecided edit of the buffer that is nearest to the cursor.
---@return tandem.StreamedEdit?
function M.find()
  local row = vim.api.nvim_win_get_cursor(0)[1] - 1
  local best, least
  for _, e in ipairs(M.of(vim.api.nvim_get_current_buf())) do
    local distance = math.abs(view.row(e) - row)
    for _, h in ipairs(e.draft:shown()) do
      distance = math.min(distance, row >= h.start and row < h['end'] and 0 or math.abs(h.start - row))
    end
    if not best or distance < least then
      best, least = e, distance
    end
  end
  return best
end

---Runs an action on the edit at the cursor; false if there is none.
---@param name string
---@param words? string
---@return boolean
function M.act(name, words)
  local edit = M.find()
  if edit then
    actions[name](edit, words)
  end
  return edit ~= nil
end

---The buffers that are followed.
local attached = {}

---Follows a buffer for as long as it has edits.
local function attach(buf)
  if attached[buf] then
    return
  end
  attached[buf] = true
  vim.api.nvim_buf_attach(buf, false, {
    on_lines = function(_, _, _, first, last_old, last_new)
      local list = M.of(buf)
      for _, e in ipairs(list) do
        e:lines_changed(first, last_old, last_new)
      end
      attached[buf] = #list > 0 or nil
      return #list == 0
    end,
    on_reload = function()
      vim.schedule(function()
        vim.iter(M.of(buf)):each(Edit.finish)
      end)
    end,
    on_detach = function()
      attached[buf] = nil
      vim.schedule(function()
        vim.iter(M.of(buf)):each(Edit.finish)
      end)
    end,
  })
end

---What the user asks.
---@class tandem.Question
---@field kind? 'edit'|'fix'|'debug'|'document'|'test' edit unless set
---@field instruction? string
---@field lane? string
---@field range lsp.Range
---@field problems? lsp.Diagnostic[]
---@field all? boolean

---Asks for an edit of the current buffer and shows the answer as it is written.
---@param question tandem.Question
function M.start(question)
  local buf = vim.api.nvim_get_current_buf()
  local client = require('tandem.client').get(buf)
  if not client and require('tandem.client').get() then
    return warn('go to a file first: nothing here can be edited')
  elseif not client then
    return require('tandem.client').with(buf, function()
      M.start(question)
    end)
  end
  local edit = setmetatable({
    buf = buf, client_id = client.id, draft = Draft.new(vim.api.nvim_buf_line_count(buf), { start = question.range.start.line, ['end'] = question.range['end'].line + 1 }),
    kind = question.kind or 'edit', instruction = question.instruction or '', lane = question.lane, range = question.range,
    problems = question.problems, all = question.all, phase = 'ready', note = '', answers = {}, index = 1,
    attempts = 0, checking = false,
  }, Edit)
  edits[#edits + 1] = edit
  require('tandem.next_edit').hide(buf)
  attach(buf)
  require('tandem.edit_keys').add(buf)
  edit:run({})
end

---Takes an answer that was judged again, or completed. False if the proposal is none of the answers.
---@param p tandem.Proposal
---@return boolean
local function renewed(p)
  for _, e in ipairs(edits) do
    for _, answer in ipairs(e.answers) do
      if answer.proposal.id == p.id then
        answer.proposal = p
        view.draw_soon(e.buf)
        return true
      end
    end
  end
  return false
end

---Handles the states of proposals that are streamed edits.
---@param p tandem.Proposal
function M.follow(p)
  if p.state == 'ready' and renewed(p) then
    return
  elseif p.state == 'ready' then
    ready[p.id] = p
    if waiting[p.id] then
      waiting[p.id](p)
      waiting[p.id] = nil
    end
  elseif p.state == 'checking' then
    for _, e in ipairs(edits) do
      if e.running == p.id then
        e.checking = true
        view.draw_soon(e.buf)
      end
    end
  elseif p.state ~= 'streaming' then
    ready[p.id], waiting[p.id] = nil, nil
  end
end

---The server has ended: what it was writing goes, what was ready stays.
function M.forget_all()
  local lost = vim.tbl_filter(function(e)
    return e.phase == 'writing'
  end, edits)
  for _, e in ipairs(lost) do
    e.request = nil
    e:finish()
  end
  if #lost > 0 then
    vim.defer_fn(function() -- after Neovim's own message, which would cover it
      warn('ask again: the server stopped, and its half answer is gone.')
    end, 100)
  end
  ready, waiting = {}, {}
  partial.forget_all()
end

return M
