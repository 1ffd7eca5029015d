---:checkhealth tandem
local M = {}

---Runs tandem doctor and shows its findings.
local function doctor()
  local result = vim.system(require('tandem.client').command('doctor', '--json'), { text = true }):wait(20000)
  local ok, report = pcall(vim.json.decode, result.stdout)
  if not ok or type(report) ~= 'table' then
    return vim.health.error('tandem doctor said nothing that could be read', { vim.trim(result.stderr or '') })
  end
  for _, f in ipairs(report.findings or {}) do
    local show = f.status == 'ok' and vim.health.ok or f.status == 'error' and vim.health.error or vim.health.warn
    show(('%s: %s'):format(f.check, f.message), f.todo and { f.todo } or nil)
  end
end

function M.check()
  vim.health.start('tandem')
  if vim.fn.has('nvim-0.12') == 0 then
    return vim.health.error('Neovim 0.12 or later is needed for ghost text; this is ' .. tostring(vim.version()))
  end
  local path = require('tandem').options.path or 'tandem'
  if vim.fn.executable(path) == 0 then
    return vim.health.error(path .. ' cannot be run', { 'install tandem, or give its path: require("tandem").setup({ path = … })' })
  end
  vim.health.ok(vim.fn.exepath(path))
  local client = require('tandem.client').get()
  if client then
    vim.health.ok(('the server runs as %s, %s'):format(client.name, vim.tbl_get(client, 'server_info', 'version') or ''))
  else
    vim.health.warn('no server runs', { "vim.lsp.enable('tandem')", 'open a file' })
  end
  if not vim.lsp.inline_completion.is_enabled() then
    vim.health.warn('ghost text is off', { 'vim.lsp.inline_completion.enable()' })
  end
  doctor()
end

return M
