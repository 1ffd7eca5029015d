-- The first minutes in real Neovim, by the README's lines: from nothing to a model's ghost text.
package.path = vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2)) .. '/?.lua;' .. package.path
local e2e = require('terminal')
local recording = require('recording')
local check, wait = e2e.check, e2e.wait

local file = 'semver/semver.go'
local here = vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2))
local config = os.getenv('XDG_CONFIG_HOME') .. '/tandem/config.toml'
local t

local scenarios = {
  { 'start with nothing: the built-in engine serves', function()
    local socket = e2e.out .. '/socket'
    t = e2e.open({ os.getenv('E2E_CACHE') .. '/nvim/bin/nvim', '--clean', '-u', here .. '/first_neovim_child.lua', '--listen', socket, file }, {})
    t:connect(socket)
    wait('the client to be attached', function()
      return t:lua('local c = vim.lsp.get_clients({ name = "tandem", bufnr = 0 })[1] return c ~= nil and c.initialized == true')
    end)
    check('no configuration is there', e2e.read(config) == '')
    t:input(':help tandem<CR>')
    t:shows('tandem puts the models you choose')
    t:input(':helpclose<CR>')
  end },

  { 'set up a server by its address, and see its ghost text', function()
    local recorded = recording.start(t)
    recording.pause(1000)
    t:input(':Tandem setup<CR>')
    t:shows('A gateway or another server')
    recording.pause(2000)
    t:input(t:screen():match('(%d+): A gateway or another server') .. '<CR>')
    t:shows('The address of the gateway')
    recording.pause(1000)
    t:input(os.getenv('E2E_MODELS') .. '/v1<CR>')
    t:shows('Which model?')
    t:shot('set-up-models')
    recording.pause(1500)
    t:input(t:screen():match('(%d+): scripted%-fast') .. '<CR>')
    t:shows('scripted-fast answers: first text after')
    check('nothing is written before it is accepted', e2e.read(config) == '')
    recording.pause(1500)
    t:input('1<CR>')
    wait('the configuration', function()
      return e2e.read(config):find('fast = "scripted-fast"', 1, true)
    end)
    wait('the model in the status', function()
      return t:lua("return require('tandem').statusline()"):find('scripted-fast', 1, true)
    end)
    t:input('Gzto<CR>// nextPart splits off the first part.<CR>func nextPart(x string, i int) (part, rest string) {<CR>}<Esc>Oreturn x')
    t:shows('return x[:i], x[i:]')
    t:shot('set-up-ghost-text')
    recording.pause(2000)
    t:input('<Tab>')
    wait('the suggestion in the text', function()
      return t:text():find('return x[:i], x[i:]', 1, true)
    end)
    recording.save(recorded, e2e.out .. '/ghost-text.svg')
    t:input('<Esc>:edit!<CR>')
  end },

  { 'review the changes of an agent: next, reviewed, revert; a mark ends with its hunk', function()
    local before = e2e.on_disk(file)
    local function replaced(text, old, new)
      local at, stop = assert(text:find(old, 1, true))
      return text:sub(1, at - 1) .. new .. text:sub(stop + 1)
    end
    local agent = replaced(before, 'func IsValid(v string) bool {', '// It is never empty.\nfunc IsValid(v string) bool {')
    agent = replaced(agent, '{\n\tp, ok := parse(v)\n\tif !ok {\n\t\treturn ""\n\t}\n\tif p.build', '{\n\tversion, ok := parse(v)\n\tif !ok {\n\t\treturn ""\n\t}\n\tif p.build')
    agent = replaced(agent, 'return pv.build', 'return pv.buildSuffix()')
    local f = assert(io.open(e2e.out .. '/agent.go', 'w'))
    f:write(agent)
    f:close()
    local recorded = recording.start(t)
    recording.pause(1000)
    t:input(':!cp ../agent.go % && echo agent: edited %<CR>') -- what an agent does
    t:shows('agent: edited')
    recording.pause(1500)
    t:input('<CR>:edit!<CR>')
    t:input(':Tandem changes<CR>')
    wait('the cursor at the first change', function()
      return t:lua('return vim.api.nvim_get_current_line()') == '// It is never empty.'
    end)
    local function marks(mark)
      local raw = t:lua([[local mark, done = ...
        require('tandem.client').execute('changes', { quick = true }, function(r) done = r end)
        vim.wait(20000, function() return done end)
        return vim.iter(done.files):map(function(f) return f.hunks end):flatten():filter(function(h) return h.mark == mark end):totable()]], mark)
      return #raw
    end
    wait('three changes', function()
      return marks(nil) == 3
    end)
    t:shot('changes')
    recording.pause(1200)
    t:input(':Tandem reviewed<CR>')
    wait('the cursor at the next one', function()
      return t:lua('return vim.api.nvim_get_current_line()'):find('version, ok', 1, true)
    end)
    recording.pause(1500)
    t:input(':Tandem revert<CR>')
    wait('what the check says of a name that the agent made up, at its line', function()
      return t:lua([[return vim.iter(vim.diagnostic.get(0)):any(function(d)
        return d.source == 'tandem check' and d.lnum == vim.fn.line('.') - 1 and d.message:find('buildSuffix', 1, true) ~= nil
      end)]])
    end)
    t:shot('made-up-name')
    recording.pause(3000)
    t:input(':Tandem revert<CR>')
    wait('both changes to be as they were', function()
      return t:text() == replaced(before, 'func IsValid(v string) bool {', '// It is never empty.\nfunc IsValid(v string) bool {')
    end)
    recording.save(recorded, e2e.out .. '/made-up-name.svg')
    check('the first is reviewed', marks('reviewed') == 1)
    t:shot('changes-reviewed')
    t:input('gg/never empty<CR>A Nor nil.<Esc>')
    wait('the mark to end with its hunk', function()
      return marks('reviewed') == 0 and marks(nil) == 1
    end)
    t:input(':qall!<CR>')
    check('Neovim ends well', t:ended() == 0)
  end, always = true },
}

e2e.scenarios(scenarios, function()
  t:shot('failure')
end)
