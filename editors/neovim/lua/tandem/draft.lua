---An edit that is drawn in its buffer while it is written and until it is decided. This
---module knows lines and nothing of an editor: where the lines that the edit was asked
---about are now, and which of them the user has changed since. Lines are counted from 0.
---editors/draft_cases.json holds it and the other editor's to the same.

---@class tandem.LineChange
---@field start integer
---@field end integer the line after the last
---@field lines string[]

---@class tandem.Draft
---@field hunks tandem.LineChange[] that wait for the user, as changes of the base, in order
---@field place? { start: integer, end: integer } the lines that the edit was asked about, where they are now
---@field private count integer lines of the base
---@field private places table<integer, integer> the line of the buffer that each line of the base is now; nil if the user has changed it
local Draft = {}
Draft.__index = Draft

---A change where its lines are now; nil if they are not all there, one after another.
---@param h tandem.LineChange
---@param to table<integer, integer>
---@return tandem.LineChange?
local function moved(h, to)
  local before = h.start == 0 and -1 or to[h.start - 1]
  local start = to[h.start] or (h.start == h['end'] and before and before + 1)
  for i = h.start, h['end'] - 1 do
    if to[i] == nil or to[i] ~= start + i - h.start then
      return nil
    end
  end
  return start and { start = start, ['end'] = start + h['end'] - h.start, lines = h.lines } or nil
end

---@param count integer
---@param place? { start: integer, end: integer }
---@return tandem.Draft
function Draft.new(count, place)
  local self = setmetatable({ hunks = {}, count = count, places = {}, place = place }, Draft)
  for i = 0, count - 1 do
    self.places[i] = i
  end
  return self
end

---Changes of the base as changes of the buffer as it is now, without those whose lines the user
---has changed.
---@param hunks tandem.LineChange[]
---@return tandem.LineChange[]
function Draft:moved(hunks)
  return vim.iter(hunks):map(function(h)
    return moved(h, self.places)
  end):totable()
end

---The hunks as changes of the buffer as it is now.
---@return tandem.LineChange[]
function Draft:shown()
  return self:moved(self.hunks)
end

---Takes the place of the hunks before. False where the user has changed lines that one
---replaces: that one is left out.
---@param hunks tandem.LineChange[]
---@return boolean
function Draft:show(hunks)
  self.hunks = vim.tbl_filter(function(h)
    return moved(h, self.places) ~= nil
  end, hunks)
  return #self.hunks == #hunks
end

---Lines of the buffer were replaced by count others: the user typed, or accepted a change. True:
---lines that a hunk replaces were among them, and it is left out.
---@return boolean
function Draft:changed(start, stop, count)
  local by, place = count - (stop - start), self.place
  if place and stop <= place.start then
    self.place = { start = place.start + by, ['end'] = place['end'] + by }
  elseif place and start < place['end'] then
    self.place = { start = math.min(start, place.start), ['end'] = math.max(stop, place['end']) + by }
  end
  for i = 0, self.count - 1 do
    local at = self.places[i]
    if at and at >= start then
      self.places[i] = at >= stop and at + by or nil
    end
  end
  return not self:show(self.hunks)
end

---The line of the buffer at which a line of the base is; nil if it is gone.
---@return integer?
function Draft:current(line)
  return self.places[line]
end

return Draft
