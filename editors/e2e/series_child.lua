-- The configuration of the Neovim under test: tandem without a model, and the project's own
-- language server beside it.
vim.opt.runtimepath:append(os.getenv('E2E_PLUGIN'))
require('tandem').setup({ path = os.getenv('E2E_BIN') .. '/tandem', offline = true, log = os.getenv('E2E_OUT') .. '/server.log' })
vim.lsp.config('other', { cmd = vim.split(os.getenv('SERIES_SERVER'), ' '), filetypes = { os.getenv('SERIES_FILETYPE') }, root_markers = { '.git' } })
vim.lsp.enable({ 'tandem', 'other' })
vim.keymap.set({ 'i', 'n' }, '<Tab>', require('tandem').tab, { expr = true })
vim.o.swapfile, vim.o.hidden, vim.o.more, vim.o.autoread = false, true, false, false

-- What the editor has told and been told, for the parent to wait for.
_G.seen = { references = {}, answers = 0, waiting = false }
vim.api.nvim_create_autocmd('LspAttach', {
  callback = function(event)
    local client = assert(vim.lsp.get_client_by_id(event.data.client_id))
    if client.name ~= 'tandem' or client.watched then
      return
    end
    client.watched = true
    local notify, request = client.notify, client.request
    client.notify = function(self, method, params)
      if method == 'tandem/references' then
        _G.seen.references[params.name] = #params.locations
      end
      return notify(self, method, params)
    end
    client.request = function(self, method, params, handler, buf)
      if method ~= 'textDocument/copilotInlineEdit' then
        return request(self, method, params, handler, buf)
      end
      local this = {}
      _G.waiting, _G.seen.waiting = this, true
      return request(self, method, params, function(...)
        handler(...)
        _G.seen.answers = _G.seen.answers + 1
        _G.seen.waiting = _G.waiting ~= this
      end, buf)
    end
  end,
})

-- Whether a next edit is on the screen.
function _G.shown()
  local ns = vim.api.nvim_create_namespace('tandem.next_edit')
  return #vim.api.nvim_buf_get_extmarks(0, ns, 0, -1, {}) > 0
end

-- What a key may change.
function _G.state()
  return table.concat({ vim.api.nvim_get_current_buf(), vim.api.nvim_win_get_cursor(0)[1], vim.api.nvim_win_get_cursor(0)[2], vim.api.nvim_buf_get_changedtick(0), _G.seen.answers }, ' ')
end

-- The answer of the project's language server for the current buffer.
function _G.ask(method, params)
  local other = vim.lsp.get_clients({ name = 'other', bufnr = 0 })[1]
  if not other then
    return nil
  end
  params.textDocument = { uri = vim.uri_from_bufnr(0) }
  local answer = other:request_sync(method, params, 20000, 0)
  return answer and answer.result ~= vim.NIL and answer.result or nil
end

-- The texts that differ from the disk, by path.
function _G.changed()
  local out = vim.empty_dict()
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buf) and vim.bo[buf].modified then
      out[vim.api.nvim_buf_get_name(buf)] = vim.api.nvim_buf_get_lines(buf, 0, -1, false)
    end
  end
  return out
end

function _G.restore()
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buf) and vim.bo[buf].modified then
      vim.api.nvim_set_current_buf(buf)
      vim.cmd('silent! earlier 9f')
      vim.bo[buf].modified = false
    end
  end
end
