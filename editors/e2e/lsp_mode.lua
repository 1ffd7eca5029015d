-- Real Emacs with lsp-mode.
package.path = vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2)) .. '/?.lua;' .. package.path
local elpa = os.getenv('E2E_CACHE') .. '/lsp-mode/usr/share/emacs/site-lisp/elpa-src'
require('emacs_client').drive({
  lines = { ('(dolist (d (directory-files "%s" t "^[a-z]")) (add-to-list \'load-path d))'):format(elpa), '(load "lsp-mode-autoloads" t)',
    '(setq lsp-auto-guess-root t lsp-enable-snippet nil)' },
  page = 'lsp-register-client',
  hover = function(t)
    t:send('\27xlsp-describe-thing-at-point\r')
  end,
  actions = 'lsp-execute-code-action',
  asks = 'Select code action',
})
