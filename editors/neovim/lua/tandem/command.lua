---:Tandem and its subcommands.
local say = require('tandem.say')
local M = {}

---@class (private) tandem.Invocation
---@field words string the text after the subcommand
---@field range? lsp.Range the lines that a range was given for
---@field bang boolean with a !

---The place for a command, in the form that the server's commands take.
---@param inv tandem.Invocation
---@return table
local function place(inv)
  local client = require('tandem.client').get(0)
  local range = inv.range
  if not range then
    local here = vim.lsp.util.make_position_params(0, client and client.offset_encoding or 'utf-8').position
    range = { start = here, ['end'] = here }
  end
  return { uri = vim.uri_from_bufnr(0), range = range }
end

---Continues with the given text, or asks the user for one.
---@param inv tandem.Invocation
---@param prompt string
---@param go_on fun(words: string)
local function with_words(inv, prompt, go_on)
  if inv.words ~= '' then
    return go_on(inv.words)
  end
  vim.ui.input({ prompt = prompt }, function(words)
    if words and words:match('%S') then
      go_on(words)
    end
  end)
end

---A command of the server at the place of the cursor or range.
---@param name string
local function here(name)
  return function(inv)
    require('tandem.client').execute(name, place(inv))
  end
end

---An edit whose instruction needs no text from the user.
---@param kind 'document'|'test'
local function writes(kind)
  return function(inv)
    require('tandem.streamed_edit').start({ kind = kind, instruction = inv.words, range = place(inv).range })
  end
end

---The diagnostics of all clients and linters for the lines, in the protocol's
---form. Neovim itself sends a server only that server's diagnostics.
---@param range lsp.Range
---@return lsp.Diagnostic[]
local function problems(range)
  local found = vim.tbl_filter(function(d)
    return d.lnum <= range['end'].line and (d.end_lnum or d.lnum) >= range.start.line
  end, vim.diagnostic.get(0))
  local client = require('tandem.client').get(0)
  local encoding = client and client.offset_encoding or 'utf-8'
  return vim.tbl_map(function(d)
    local function position(line, column)
      local text = vim.api.nvim_buf_get_lines(0, line, line + 1, false)[1] or ''
      return { line = line, character = vim.str_utfindex(text, encoding, column, false) }
    end
    local span = { start = position(d.lnum, d.col), ['end'] = position(d.end_lnum or d.lnum, d.end_col or d.col) }
    return { range = span, message = d.message, severity = d.severity, source = d.source, code = d.code }
  end, found)
end

local function fix(inv)
  local range = place(inv).range
  require('tandem.streamed_edit').start({ kind = 'fix', instruction = inv.words, range = range, problems = problems(range) })
end

---A command of the server that also needs a text.
---@param name string
---@param prompt string
---@param key string the server's name for the text
local function here_with_text(name, prompt, key)
  return function(inv)
    with_words(inv, prompt, function(words)
      require('tandem.client').execute(name, vim.tbl_extend('force', place(inv), { [key] = words }))
    end)
  end
end

---Lets the user choose a task and continues with it.
---@param go_on fun(task: table)
local function pick_task(go_on)
  require('tandem.client').execute('tasks', {}, function(result)
    if #result.tasks == 0 then
      return say('there are no tasks. :Tandem escalate')
    end
    local function label(t)
      return ('%s  %s'):format(t.state, t.title)
    end
    vim.ui.select(result.tasks, { prompt = 'tandem tasks', format_item = label }, function(task)
      if task then
        go_on(task)
      end
    end)
  end)
end

---Lane, model, size and price of an edit in one line.
---@param e { lane: string, model: string, tokens: integer, costUSD: number }
---@return string
local function price(e)
  local cost = e.costUSD >= 0.00005 and (', about $%.4f'):format(e.costUSD) or ''
  return ('Edit (%s: %s, about %d tokens%s): '):format(e.lane, e.model, e.tokens, cost)
end

---Asks for an edit, shown as it is written; with a ! the deep model.
---@param inv tandem.Invocation
local function edit(inv)
  local at, lane = place(inv).range, inv.bang and 'deep' or nil
  if inv.words ~= '' then
    return require('tandem.streamed_edit').start({ range = at, instruction = inv.words, lane = lane })
  end
  local params = { textDocument = { uri = vim.uri_from_bufnr(0) }, range = at, instruction = '', lane = lane }
  local buf = vim.api.nvim_get_current_buf()
  require('tandem.client').request('tandem/estimate', params, function(estimate)
    with_words(inv, price(estimate), function(words)
      vim.api.nvim_set_current_buf(buf)
      require('tandem.streamed_edit').start({ range = at, instruction = words, lane = lane })
    end)
  end, 0)
end

---An action on the streamed edit at the cursor, else on a proposal.
---@param name string
---@param otherwise? fun(inv: tandem.Invocation)
local function streamed(name, otherwise)
  return function(inv)
    if inv.words == '' and require('tandem.streamed_edit').act(name) then
      return
    elseif otherwise then
      return otherwise(inv)
    end
    say('no edit is shown in this buffer', vim.log.levels.WARN)
  end
end

---The next or previous of the changes that are reviewed.
---@param step 1|-1
local function reviewed_change(step)
  return function()
    if not require('tandem.changes').next(step) then
      say('no edit is shown in this buffer, and no changes are reviewed. :Tandem changes', vim.log.levels.WARN)
    end
  end
end

---@type table<string, fun(inv: tandem.Invocation)>
local subcommands = {
  edit = edit,
  escalate = here_with_text('escalate', 'Escalate: ', 'instruction'),
  ask = function(inv)
    local range = place(inv).range
    with_words(inv, 'Ask: ', function(words)
      require('tandem.ask').start(words, range)
    end)
  end,
  debug = function(inv)
    local range = place(inv).range
    with_words(inv, 'Debug (trace or description): ', function(words)
      require('tandem.streamed_edit').start({ kind = 'debug', instruction = words, range = range })
    end)
  end,
  fix = fix,
  explain = here('explain'),
  document = writes('document'),
  test = writes('test'),
  review = here('review'),
  window = here('showWindow'),
  everywhere = here('nextEditAll'),
  dismiss = function()
    require('tandem.next_edit').reject()
  end,
  status = function()
    require('tandem.client').execute('status', {})
  end,
  setup = function(inv)
    require('tandem.set_up').start(inv.words ~= '' and inv.words or nil)
  end,
  accept = streamed('accept', function(inv)
    require('tandem.proposal').resolve('accept', inv.words ~= '' and inv.words or nil)
  end),
  reject = streamed('reject', function(inv)
    require('tandem.proposal').resolve('reject', inv.words ~= '' and inv.words or nil)
  end),
  ['accept-change'] = streamed('accept-change'),
  ['reject-change'] = streamed('reject-change'),
  ['next-change'] = streamed('next-change', reviewed_change(1)),
  ['previous-change'] = streamed('previous-change', reviewed_change(-1)),
  changes = function(inv)
    require('tandem.changes').start(inv.words ~= '' and inv.words or nil)
  end,
  moment = function()
    require('tandem.changes').moment()
  end,
  reviewed = function()
    require('tandem.changes').mark('reviewed')
  end,
  keep = function()
    require('tandem.changes').mark('kept')
  end,
  revert = function()
    require('tandem.changes').revert()
  end,
  stop = streamed('stop'),
  again = streamed('again'),
  deeper = streamed('deeper'),
  alternatives = streamed('alternatives'),
  diff = streamed('diff', function()
    require('tandem.proposal').diff()
  end),
  steer = function(inv)
    with_words(inv, 'Steer: ', function(words)
      if not require('tandem.streamed_edit').act('steer', words) then
        require('tandem.proposal').steer(words)
      end
    end)
  end,
  complete = streamed('complete', function()
    require('tandem.proposal').complete()
  end),
  tasks = function()
    require('tandem.tasks').open()
  end,
  cancel = function()
    pick_task(function(task)
      require('tandem.client').execute('cancel', { id = task.id })
    end)
  end,
  profile = function(inv)
    require('tandem.client').execute('selectProfile', { profile = inv.words })
  end,
  takeback = function()
    require('tandem.client').execute('takeBack', {})
  end,
  snooze = function(inv)
    require('tandem.client').execute('snooze', { minutes = tonumber(inv.words) or 30 })
  end,
  commit = function()
    require('tandem.client').execute('commitMessage', { uri = vim.uri_from_bufnr(0) }, function(result)
      vim.api.nvim_put(vim.split(vim.trim(result.message), '\n'), 'c', false, true)
    end)
  end,
  next = function()
    require('tandem.next_edit').request()
  end,
}

---The lines of a range, in the protocol's form.
---@param args vim.api.keyset.create_user_command.command_args
---@return lsp.Range?
local function lines(args)
  if args.range == 0 then
    return nil
  end
  local last = vim.api.nvim_buf_get_lines(0, args.line2 - 1, args.line2, true)[1]
  local client = require('tandem.client').get(0)
  local column = vim.str_utfindex(last, client and client.offset_encoding or 'utf-8')
  return { start = { line = args.line1 - 1, character = 0 }, ['end'] = { line = args.line2 - 1, character = column } }
end

---@param args vim.api.keyset.create_user_command.command_args
local function run(args)
  local name, words = args.args:match('^(%S+)%s*(.*)$')
  if not name then
    local all = vim.tbl_keys(subcommands)
    table.sort(all)
    return say((':Tandem takes one of these: %s. :help tandem says what each does'):format(table.concat(all, ', ')))
  end
  local subcommand = subcommands[name]
  if not subcommand then
    local near = vim.fn.matchfuzzy(vim.tbl_keys(subcommands), name)[1]
    local hint = near and ('; did you mean %s?'):format(near) or '. See :help tandem'
    return say(('there is no :Tandem %s'):format(name) .. hint, vim.log.levels.ERROR)
  end
  subcommand({ words = words, range = lines(args), bang = args.bang })
end

---Code actions run this in place of the server's commands, so that their edits are shown
---as they are written too.
---@param kind string
local function action_of(kind)
  return function(action, ctx)
    local args = (action.arguments or {})[1] or {}
    if kind == 'edit' and not args.instruction then
      return edit({ words = '', range = args.range, bang = false })
    elseif args.range and ctx.bufnr == vim.api.nvim_get_current_buf() then
      return require('tandem.streamed_edit').start({ kind = kind, instruction = args.instruction, range = args.range, problems = args.diagnostics, all = args.all })
    end
    local client = vim.lsp.get_client_by_id(ctx.client_id)
    return client and client:request('workspace/executeCommand', { command = action.command, arguments = action.arguments }, nil, ctx.bufnr)
  end
end

function M.create()
  for _, kind in ipairs({ 'edit', 'fix', 'document', 'test' }) do
    vim.lsp.commands['tandem.' .. kind] = action_of(kind)
  end
  vim.api.nvim_create_user_command('Tandem', run, {
    nargs = '*',
    range = true,
    bang = true,
    desc = 'Edit, ask, escalate, accept, …',
    complete = function(lead, line)
      if line:match('^%S*%s+%S+%s') then
        return {}
      end
      local names = vim.tbl_filter(function(name)
        return vim.startswith(name, lead)
      end, vim.tbl_keys(subcommands))
      table.sort(names)
      return names
    end,
  })
end

return M
