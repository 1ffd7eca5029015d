if vim.g.loaded_tandem then
  return
end
vim.g.loaded_tandem = true

if vim.fn.has('nvim-0.12') == 0 then
  vim.notify('tandem needs Neovim 0.12 or later; this is ' .. tostring(vim.version()), vim.log.levels.WARN)
  return
end
require('tandem.command').create()
require('tandem.names').follow()

-- What the server shows as a file, such as a long answer, is drawn as Markdown and not as its marks.
vim.api.nvim_create_autocmd('BufWinEnter', {
  pattern = '*/tandem/previews/*.md',
  callback = function()
    vim.wo.conceallevel, vim.wo.concealcursor = 2, 'n'
  end,
})

-- :help tandem, also where no plugin manager has made the tags of the help.
local doc = vim.fs.joinpath(vim.fs.dirname(vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2))), 'doc')
if not vim.uv.fs_stat(doc .. '/tags') then
  pcall(vim.cmd.helptags, doc)
end
