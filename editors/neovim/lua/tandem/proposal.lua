---Proposals that were made whole and wait for the user, such as all remaining places of a
---change, drawn into the buffers they change: removed lines are marked, new lines are
---virtual lines. The server rebases them over what is typed meanwhile and applies them;
---this module shows them and asks. What a model writes for one buffer is a streamed edit
---and not shown here.
local drawn = require('tandem.drawn')
local say = require('tandem.say')
local M = {}

local namespace = vim.api.nvim_create_namespace('tandem.proposal')

---@class tandem.Document
---@field uri string
---@field version integer
---@field edits lsp.TextEdit[]
---@field create? boolean
---@field delete? boolean

---@class tandem.Proposal
---@field id string
---@field state 'streaming'|'checking'|'ready'|'stale'|'failed'|'accepted'|'rejected'
---@field title? string
---@field model? string
---@field documents? tandem.Document[]
---@field verdict? { state: 'passed'|'failed'|'not_judged', reason?: string }
---@field end? { whole: boolean, reason?: string } how the answer ended that it comes from
---@field breaks? lsp.Location[] in files that it leaves as they are
---@field alternatives? string[]
---@field taskId? string the task whose result it is
---@field running? boolean more steps of that task are to come
---@field quiet? boolean drawn in no buffer
---@field tokens? integer
---@field tokensPerSecond? number
---@field costUSD number
---@field error? string

---Waiting proposals in the order of their arrival.
---@type tandem.Proposal[]
local waiting = {}

---Who waits for a proposal to be here.
---@type table<string, fun()>
local awaited = {}

---@param id string
local function forget(id)
  waiting = vim.tbl_filter(function(p)
    return p.id ~= id
  end, waiting)
end

---The text of a document before and after, as lists of lines.
---@param d tandem.Document
---@param encoding string
---@return string[] before
---@return string[] after
local function texts(d, encoding)
  local buf = vim.uri_to_bufnr(d.uri)
  local before = {}
  if not d.create then
    vim.fn.bufload(buf)
    before = vim.api.nvim_buf_get_lines(buf, 0, -1, false)
  end
  if d.delete then
    return before, {}
  end
  local scratch = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_lines(scratch, 0, -1, false, before)
  vim.lsp.util.apply_text_edits(vim.deepcopy(d.edits), scratch, encoding)
  local after = vim.api.nvim_buf_get_lines(scratch, 0, -1, false)
  vim.api.nvim_buf_delete(scratch, { force = true })
  return before, after
end

---@param lines string[]
---@return string
local function joined(lines)
  return #lines == 0 and '' or table.concat(lines, '\n') .. '\n'
end

---What the verdict says that a person should know before accepting; nil if all passed.
---@param p tandem.Proposal
---@return string?
function M.doubt(p)
  local v = p.verdict
  if v and v.state ~= 'passed' then
    return (v.state == 'failed' and 'failed its checks: ' or 'not judged: ') .. (v.reason or '')
  end
end

---The command that accepts, as a headline names it.
---@param p tandem.Proposal
---@return string
function M.accepts(p)
  local failed = p.verdict and p.verdict.state == 'failed' or p['end'] and not p['end'].whole
  return failed and 'accept (apply anyway)' or 'accept'
end

---@param p tandem.Proposal
---@param buf integer
---@return string[]
local function headline(p, buf)
  local doubt = M.doubt(p)
  if p.running and p.verdict and p.verdict.state == 'failed' then
    return drawn.fitted(buf, ('tandem: %s | %s'):format(p.title or 'a proposal', doubt), 'other steps are at work on it · diff')
  end
  return drawn.fitted(buf, ('tandem: %s'):format(p.title or 'a proposal') .. (doubt and ' | ' .. doubt or ''), ':Tandem ' .. M.accepts(p) .. ' · reject · diff')
end

---The changes of tasks that were drawn, by their task and lines. One that was seen stays.
---@type table<string, boolean>
local seen = {}

---Draws the change of one document: of a background task what the user is not at work upon.
---@param p tandem.Proposal
---@param d tandem.Document
---@param encoding string
---@return boolean whole
local function draw(p, d, encoding)
  local buf = vim.uri_to_bufnr(d.uri)
  if p.quiet or d.create or not vim.api.nvim_buf_is_loaded(buf) then
    return true
  end
  local whole, first = true, true
  local before, after = texts(d, encoding)
  local hunks = vim.text.diff(joined(before), joined(after), { result_type = 'indices' }) --[[@as integer[][] ]]
  for _, hunk in ipairs(hunks) do
    local from, removed, to, added = unpack(hunk)
    local row = removed == 0 and from or from - 1 -- a pure insertion follows its line
    local new = vim.list_slice(after, to, to + added - 1)
    local key = vim.json.encode({ p.taskId or p.id, d.uri, vim.list_slice(before, row + 1, row + removed), new })
    if p.taskId and not seen[key] and drawn.in_use(buf, row, row + removed) then
      whole = false
    else
      seen[key] = true
      if first then
        drawn.above(buf, namespace, row, drawn.lines(buf, headline(p, buf), 'Comment'), 10)
        first = false
      end
      for n = 0, removed - 1 do
        vim.api.nvim_buf_set_extmark(buf, namespace, row + n, 0, { line_hl_group = 'DiffDelete' })
      end
      if added > 0 then
        drawn.above(buf, namespace, row + removed, drawn.lines(buf, new, 'DiffAdd'))
      end
    end
  end
  return whole
end

local again ---@type uv.uv_timer_t?

local function redraw()
  local client, whole = require('tandem.client').get(), true
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    local asked = false
    drawn.still(buf, function()
      vim.api.nvim_buf_clear_namespace(buf, namespace, 0, -1)
      for _, p in ipairs(waiting) do
        for _, d in ipairs(p.documents or {}) do
          if vim.uri_to_bufnr(d.uri) == buf then
            whole, asked = draw(p, d, client and client.offset_encoding or 'utf-8') and whole, asked or not p.taskId
          end
        end
      end
    end)
    if asked then
      drawn.uncover(buf)
    end
  end
  if not whole and not (again and again:is_active()) then
    again = vim.defer_fn(redraw, 300) -- until the user is at work elsewhere
  end
end

---Whether a window shows a buffer that a proposal would change.
---@param p tandem.Proposal
---@return boolean
local function visible(p)
  return vim.iter(p.documents or {}):any(function(d)
    return not d.create and vim.fn.bufwinid(vim.uri_to_bufnr(d.uri)) ~= -1
  end)
end

---@param p tandem.Proposal
local function ready(p)
  local known = M.find(p.id) ~= nil
  forget(p.id)
  waiting[#waiting + 1] = p
  redraw()
  if not known and not p.taskId and not visible(p) then
    say(('"%s" is ready. :Tandem diff'):format(p.title or ''))
  end
end

---Handles every state change of a proposal.
---@param p tandem.Proposal
---@param _ integer the client
function M.follow(p, _)
  require('tandem.status').streams(p)
  if p.state == 'ready' then
    ready(p)
    if awaited[p.id] then
      awaited[p.id]()
      awaited[p.id] = nil
    end
    return
  elseif p.state == 'streaming' or p.state == 'checking' then
    return
  end
  forget(p.id)
  redraw()
  if p.state == 'failed' and p.error then
    say(p.error, vim.log.levels.WARN)
  elseif p.state == 'stale' then
    say(('ask again: "%s" no longer fits the text.'):format(p.title or ''), vim.log.levels.WARN)
  end
end

---Continues when a proposal that the server has named is here.
---@param id string
---@param done fun()
function M.when_known(id, done)
  if M.find(id) then
    return done()
  end
  awaited[id] = done
end

---Removes all proposals: the server that made them has ended.
function M.forget_all()
  waiting = {}
  redraw()
end

---The proposal with an id; without an id, the newest in this buffer, else the newest.
---@param id? string
---@return tandem.Proposal?
function M.find(id)
  local here = vim.uri_from_bufnr(0)
  for i = #waiting, 1, -1 do
    local p = waiting[i]
    if id and p.id == id then
      return p
    end
    local touches = vim.iter(p.documents or {}):any(function(d)
      return d.uri == here
    end)
    if not id and touches then
      return p
    end
  end
  return not id and waiting[#waiting] or nil
end

---@param action 'accept'|'reject'
---@param id? string
function M.resolve(action, id)
  local p = M.find(id)
  if not p then
    return say('no proposal waits. :Tandem edit asks for one', vim.log.levels.WARN)
  end
  if action == 'accept' then
    return require('tandem.client').accept({ id = p.id })
  end
  require('tandem.client').request('tandem/resolve', { id = p.id, action = action })
end

---@param text string
---@param id? string
function M.steer(text, id)
  local p = M.find(id)
  if not p then
    return say('no proposal waits that could be steered', vim.log.levels.WARN)
  end
  require('tandem.client').request('tandem/steer', { id = p.id, text = text })
end

---Has the model change what the waiting proposal breaks in other files.
function M.complete()
  local p = M.find()
  if not p then
    return say('no proposal waits that could be completed', vim.log.levels.WARN)
  end
  require('tandem.client').execute('completeChange', { id = p.id })
end

---Shows the change of all files of a proposal, or of one.
---@param id? string
---@param file? string
function M.diff(id, file)
  local p = M.find(id)
  if not p then
    return say('no proposal waits. :Tandem edit asks for one', vim.log.levels.WARN)
  end
  M.show(vim.tbl_filter(function(d)
    return not file or vim.endswith(vim.uri_to_fname(d.uri), '/' .. file)
  end, p.documents or {}))
end

---Shows the change of documents as one unified diff, in a new window.
---@param documents tandem.Document[]
function M.show(documents)
  local client = require('tandem.client').get()
  local lines = {}
  for _, d in ipairs(documents) do
    local before, after = texts(d, client and client.offset_encoding or 'utf-8')
    local name = vim.fn.fnamemodify(vim.uri_to_fname(d.uri), ':.')
    vim.list_extend(lines, { '--- a/' .. name, '+++ b/' .. name })
    local unified = vim.text.diff(joined(before), joined(after), { ctxlen = 3 }) --[[@as string]]
    vim.list_extend(lines, vim.split(unified, '\n', { trimempty = true }))
  end
  vim.cmd('new')
  local buf = vim.api.nvim_get_current_buf()
  vim.bo[buf].buftype, vim.bo[buf].bufhidden, vim.bo[buf].filetype = 'nofile', 'wipe', 'diff'
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, lines)
  vim.bo[buf].modifiable = false
end

return M
