-- Real micro with its LSP plugin, from the folder E2E_PLUGINS: it lists no actions, and draws a hover in its last line.
package.path = vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2)) .. '/?.lua;' .. package.path
local e2e = require('terminal')
local client = require('client')
local t

---Keys that come at once after Escape would count as typed with Alt.
local function keys(...)
  for _, some in ipairs({ ... }) do
    t:send(some)
    vim.wait(150)
  end
end

client.drive({
  limits = { menu = true },
  start = function()
    local config = os.getenv('XDG_CONFIG_HOME') .. '/micro'
    vim.fn.mkdir(config .. '/plug', 'p')
    vim.uv.fs_symlink(os.getenv('E2E_PLUGINS') .. '/micro-plugin-lsp', config .. '/plug/lsp')
    vim.fn.writefile(vim.split(e2e.page('lsp.server'), '\n'), config .. '/settings.json')
    t = e2e.open({ 'micro', client.file })
    return t
  end,
  go_to = function(words)
    keys('\27', '\6', (words:gsub('[^%w ]', '\\%0')), '\r', '\27[C\27[D') -- found, and selected until the cursor moves
  end,
  above = function(line)
    keys('\27[H', '\r', '\27[A', line)
  end,
  hover = function()
    keys('\5', 'hover', '\r')
  end,
  shut = function()
    keys('\27')
  end,
  save = function()
    keys('\19')
  end,
  quit = function()
    t:send('\17') -- it asks nothing, since nothing is changed
  end,
})
