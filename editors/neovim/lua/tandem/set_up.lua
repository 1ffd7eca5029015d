---:Tandem setup: draws what `tandem setup --json` asks. It writes only what has been tested
---with a request.
local say = require('tandem.say')
local M = {}

---@class (private) tandem.Step
---@field step 'choose'|'ask'|'working'|'done'|string a later tandem may have other kinds
---@field id? string
---@field title string
---@field problem? string
---@field hint? string
---@field secret? boolean
---@field options? { id: string, label: string, detail?: string }[]

---@param step tandem.Step
---@return string
local function prompt(step)
  return (step.problem and step.problem .. '\n' or '') .. 'tandem: ' .. step.title
end

---@param step tandem.Step
---@param go_on fun(answer?: string)
local function choose(step, go_on)
  local function label(o)
    return o.detail and ('%s  (%s)'):format(o.label, o.detail) or o.label
  end
  vim.ui.select(step.options, { prompt = prompt(step), format_item = label }, function(o)
    go_on(o and o.id)
  end)
end

---@param step tandem.Step
---@param go_on fun(answer?: string)
local function ask(step, go_on)
  if not step.secret then
    return vim.ui.input({ prompt = ('%s (%s): '):format(prompt(step), step.hint or '') }, go_on)
  end
  local ok, text = pcall(vim.fn.inputsecret, ('%s\n(%s): '):format(prompt(step), step.hint)) -- CTRL-C is an error
  go_on(ok and text ~= '' and text or nil)
end

---Asks who answers, at which address, with which key and model.
---@param key? string a provider of the configuration: asks for its key alone
function M.start(key)
  local process, stopped
  local function answer(text)
    stopped = text == nil
    process:write(text and vim.json.encode({ answer = text }) .. '\n' or nil)
  end
  ---@param step tandem.Step
  local function draw(step)
    if step.options then
      choose(step, answer)
    elseif step.step == 'ask' or step.id then
      ask(step, answer)
    else
      vim.cmd.redraw({ bang = true }) -- the list of answers would keep the message waiting for a key
      say(step.title)
    end
  end
  local rest, problems = '', ''
  local command = require('tandem.client').command('setup', '--json', unpack(key and { '--key', key } or {}))
  process = vim.system(command, {
    text = true,
    stdin = true,
    stdout = function(_, data)
      rest = rest .. (data or '')
      for line in rest:gmatch('(.-)\n') do
        vim.schedule(function()
          draw(vim.json.decode(line))
        end)
      end
      rest = rest:match('[^\n]*$')
    end,
    stderr = function(_, data)
      problems = problems .. (data or '')
    end,
  }, function(result)
    if result.code == 0 then
      vim.schedule(require('tandem.client').keys_changed)
    end
    if result.code ~= 0 and not stopped then
      vim.schedule(function()
        say((vim.trim(problems):gsub('^tandem: ', '')), vim.log.levels.ERROR)
      end)
    end
  end)
end

return M
