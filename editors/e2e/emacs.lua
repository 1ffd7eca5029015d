-- Real Emacs with eglot, which has standard LSP only, and shows no ghost text.
package.path = vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2)) .. '/?.lua;' .. package.path
local step = '\2' -- C-b, then C-f: a step to the side asks anew
require('emacs_client').drive({
  lines = {},
  page = 'eglot-server-programs',
  ready = 'eglot',
  hover = function(t)
    t:send('\8.' .. step) -- C-h ., which shows what is asked for whenever the cursor rests
    step = step == '\2' and '\6' or '\2'
  end,
  actions = 'eglot-code-actions',
  asks = 'Pick an action',
  confirms = '(y or n)',
})
