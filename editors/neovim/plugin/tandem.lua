if vim.g.loaded_tandem then
  return
end
vim.g.loaded_tandem = true

if vim.fn.has('nvim-0.12') == 0 then
  vim.notify('tandem needs Neovim 0.12 or later; this is ' .. tostring(vim.version()), vim.log.levels.WARN)
  return
end
require('tandem.command').create()
