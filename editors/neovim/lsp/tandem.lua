-- For vim.lsp.enable('tandem').
return require('tandem.client').config('tandem')
