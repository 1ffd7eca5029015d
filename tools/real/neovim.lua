-- The Neovim under test, with one client of a llama.cpp server: keys come as JSON lines on
-- standard input, and what is on the screen behind the cursor leaves as JSON lines.
local address, plugins = os.getenv('REAL_SERVER'), os.getenv('REAL_PLUGINS')
vim.o.swapfile, vim.o.more, vim.o.autoindent, vim.o.formatoptions = false, false, false, ''
vim.opt.runtimepath:append(plugins)
vim.cmd('syntax off')
vim.api.nvim_create_autocmd('VimEnter', { -- after the file's type is known: what is typed brings its own indentation
  callback = function()
    vim.bo.indentexpr, vim.bo.cindent, vim.bo.smartindent, vim.bo.autoindent, vim.bo.formatoptions = '', false, false, false, ''
  end,
})

-- Each client by the lines of its own page for llama.cpp.
local clients = {
  tandem = function()
    vim.lsp.enable('tandem')
    vim.lsp.inline_completion.enable(true)
    vim.keymap.set({ 'i', 'n' }, '<Tab>', require('tandem').tab, { expr = true })
  end,
  ['llama.vim'] = function()
    vim.g.llama_config = { endpoint_fim = address .. '/infill' }
  end,
  ['minuet-ai.nvim'] = function()
    require('minuet').setup({
      provider = 'openai_fim_compatible',
      n_completions = 1,
      context_window = 512,
      virtualtext = { auto_trigger_ft = { '*' } },
      provider_options = {
        openai_fim_compatible = {
          api_key = 'TERM',
          name = 'Llama.cpp',
          end_point = address .. '/v1/completions',
          model = 'PLACEHOLDER',
          optional = { max_tokens = 56, top_p = 0.9 },
          template = {
            prompt = function(before, after)
              return '<|fim_prefix|>' .. before .. '<|fim_suffix|>' .. after .. '<|fim_middle|>'
            end,
            suffix = false,
          },
        },
      },
    })
  end,
}
clients[os.getenv('REAL_CLIENT')]()

local function ours(name)
  return name == 'vt_fim' or name:find('minuet', 1, true) or name:find('inline_completion', 1, true)
end

---The text that a client shows at the cursor, without what it tells about its speed.
local function shown()
  local row, out = vim.api.nvim_win_get_cursor(0)[1] - 1, {}
  for name, id in pairs(vim.api.nvim_get_namespaces()) do
    if ours(name) then
      for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, id, { row, 0 }, { row, -1 }, { details = true })) do
        for _, chunk in ipairs(mark[4].virt_text or {}) do
          if chunk[2] ~= 'llama_hl_fim_info' then
            out[#out + 1] = chunk[1]
          end
        end
      end
    end
  end
  return table.concat(out)
end

local stdio, rest = nil, ''
local function take(_, lines)
  lines[1] = rest .. lines[1]
  rest = table.remove(lines)
  for _, line in ipairs(lines) do
    local message = vim.json.decode(line)
    if message.cursor then
      vim.api.nvim_win_set_cursor(0, message.cursor)
    else
      vim.api.nvim_feedkeys(message.keys, 'nt', true)
    end
  end
end

vim.api.nvim_create_autocmd('VimEnter', {
  callback = function()
    stdio = vim.fn.stdioopen({ on_stdin = take })
    vim.cmd('startinsert')
    local last
    assert(vim.uv.new_timer()):start(0, 10, vim.schedule_wrap(function()
      local col = vim.api.nvim_win_get_cursor(0)[2]
      local now = vim.json.encode({ before = vim.api.nvim_get_current_line():sub(1, col), text = shown() })
      if now ~= last then
        last = now
        vim.fn.chansend(stdio, now .. '\n')
      end
    end))
  end,
})
