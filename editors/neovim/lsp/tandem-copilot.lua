-- The same server under a name that plugins for next edits look for: they use
-- the first client whose name contains "copilot". Enable this or 'tandem'.
return require('tandem.client').config('tandem-copilot')
