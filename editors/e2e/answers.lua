-- The scenarios of what Neovim shows and changes nothing: the status, hovers, questions.
local e2e = require('terminal')
local wait, on_disk = e2e.wait, e2e.on_disk

---@class e2e.Session
---@field file string that is open
---@field t fun(): table the Neovim of now
---@field go_to fun(words: string, column?: integer)

---@param s e2e.Session
return function(s)
  local function no_float()
    wait('no window above the text', function()
      return s.t():lua("return #vim.tbl_filter(function(w) return vim.api.nvim_win_get_config(w).relative ~= '' end, vim.api.nvim_list_wins()) == 0")
    end)
  end

  return {
    { 'status: all lines in a window, and no key to press', function()
      s.t():input('<Esc>:Tandem status<CR>')
      s.t():shows('deep: thorough at scripted')
      s.t():shows('index: ')
      s.t():shows('today: $')
      s.t():shot('status')
      wait('it to go with the cursor, when there was time to read it', function()
        s.t():input('jk')
        return not s.t():screen():find('today: $', 1, true)
      end)
      no_float()
    end },

    { 'hover over a symbol', function()
      s.go_to('slices.SortFunc(list, compareVersion)')
      wait('K to ask the server', function() -- where no client is attached yet, K runs go doc
        return s.t():lua("return vim.fn.maparg('K', 'n') ~= ''")
      end)
      s.t():input('fVhK')
      s.t():shows('Used in ')
      s.t():shows('Last changed on ')
      s.t():shot('hover-symbol')
      s.t():input('j')
      no_float()
    end },

    { 'hover over a question', function()
      local before = on_disk(s.file)
      s.go_to('slices.SortFunc(list, compareVersion)')
      s.t():input('o// ?? where is compareVersion called<Esc>K')
      s.t():shows('semver/semver.go:')
      s.t():shot('hover-question')
      s.t():input('j')
      no_float()
      s.t():input('u')
      wait('the text as it was', function()
        return s.t():text() == before
      end)
    end },

    { 'ask, open a citation, see what the model was shown, ask further', function()
      s.t():input(':Tandem ask where is compareVersion called<CR>')
      s.t():shows('semver/semver.go:162')
      s.t():shows('f ask on')
      s.t():shot('answer')
      wait('the answer to be whole', function()
        return s.t():text():find('slices.SortFunc', 1, true)
      end)
      s.t():input('f')
      s.t():shows('Follow-up:')
      s.t():input('and who calls Sort<CR>')
      s.t():shows('semver/semver.go:166')
      s.t():input('ggw')
      s.t():shows('You are the coding model')
      s.t():input(':quit<CR>')
      wait('the answer to be whole', function()
        return s.t():text():find('for its importers', 1, true)
      end)
      s.t():input('gg/go:162<CR><CR>')
      wait('the code to be opened there', function()
        return s.t():lua("return vim.fn.expand('%:t') == 'semver.go' and vim.fn.line('.') == 162")
      end)
      s.t():input(':only<CR>')
    end },
  }
end
