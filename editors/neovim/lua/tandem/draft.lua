---An edit that is shown in its buffer while it is written. This module knows lines and
---nothing of an editor: which lines of the buffer are as they were when the edit was
---asked for, which the edit has replaced, and which the user has written since. Lines
---are counted from 0. editors/draft_cases.json holds it and the other editor's to the same.

---@class tandem.LineChange
---@field start integer
---@field end integer the line after the last
---@field lines string[]

---A part of the buffer, in its order: lines of the base, lines of the user's, or what
---stands in place of a hunk's lines.
---@class (private) tandem.Piece
---@field kind 'base'|'user'|'hunk'
---@field from integer of the base
---@field to integer
---@field count integer lines in the buffer
---@field key integer of the user's first line
---@field hunk tandem.LineChange
---@field edited boolean

---@class tandem.Draft
---@field base string[]
---@field private pieces tandem.Piece[]
---@field private next_key integer
local Draft = {}
Draft.__index = Draft

---@param base string[]
---@return tandem.Draft
function Draft.new(base)
  local self = setmetatable({ base = base, next_key = 0 }, Draft)
  self.pieces = { self.base_piece(0, #base) }
  return self
end

---@return tandem.Piece
function Draft.base_piece(from, to)
  return { kind = 'base', from = from, to = to, count = to - from }
end

---@return tandem.Piece
function Draft:user_piece(count)
  self.next_key = self.next_key + count
  return { kind = 'user', count = count, key = self.next_key - count }
end

---The hunks that are shown, in order, where they stand now.
---@return { start: integer, end: integer, removed: string[] }[]
function Draft:shown()
  local out, at = {}, 0
  for _, p in ipairs(self.pieces) do
    if p.kind == 'hunk' then
      local removed = vim.list_slice(self.base, p.hunk.start + 1, p.hunk['end'])
      out[#out + 1] = { start = at, ['end'] = at + p.count, removed = removed }
    end
    at = at + p.count
  end
  return out
end

---@return tandem.LineChange[]
function Draft:hunks()
  local out = {}
  for _, p in ipairs(self.pieces) do
    out[#out + 1] = p.kind == 'hunk' and p.hunk or nil
  end
  return out
end

---A part of a piece of the base or the user's.
---@param p tandem.Piece
---@return tandem.Piece
local function part(p, from, to)
  if p.kind == 'base' then
    return Draft.base_piece(p.from + from, p.from + to)
  end
  return { kind = 'user', count = to - from, key = p.key + from }
end

---Adds a piece, joined with the one before if the base goes on there.
local function append(out, p)
  local last = out[#out]
  if p.kind == 'base' and last and last.kind == 'base' and last.to == p.from then
    out[#out] = Draft.base_piece(last.from, p.to)
  elseif p.kind == 'hunk' or p.count > 0 then
    out[#out + 1] = p
  end
end

---@param h tandem.LineChange
---@return integer? index
local function place_of(pieces, h)
  for i, p in ipairs(pieces) do
    if p.kind == 'base' and p.from <= h.start and h['end'] <= p.to and h.start < p.to then
      return i
    end
  end
  for i, p in ipairs(pieces) do
    if h.start == h['end'] and p.kind == 'base' and p.to == h.start then
      return i
    end
  end
end

---The pieces with these hunks in place of those that are shown; nil where the user has
---changed the lines that a hunk replaces.
---@param hunks tandem.LineChange[]
---@return tandem.Piece[]?
function Draft:with(hunks)
  local out, kept = {}, {}
  for _, p in ipairs(self.pieces) do
    if p.kind == 'hunk' and vim.list_contains(hunks, p.hunk) then
      out[#out + 1] = p
      kept[p.hunk] = true
    elseif p.kind == 'hunk' then
      append(out, Draft.base_piece(p.hunk.start, p.hunk['end']))
    else
      append(out, p)
    end
  end
  for _, h in ipairs(hunks) do
    if not kept[h] then
      local i = place_of(out, h)
      if not i then
        return nil
      end
      local p = table.remove(out, i)
      local around = {
        Draft.base_piece(p.from, h.start),
        { kind = 'hunk', hunk = h, count = #h.lines, edited = false },
        Draft.base_piece(h['end'], p.to),
      }
      for _, q in ipairs(around) do
        if q.kind == 'hunk' or q.count > 0 then
          table.insert(out, i, q)
          i = i + 1
        end
      end
    end
  end
  return out
end

---The lines of pieces: their text where it is known, and a key where the line is the
---same whatever is shown.
---@private
function Draft:tokens(pieces)
  local out = {}
  for _, p in ipairs(pieces) do
    for i = 0, p.count - 1 do
      if p.kind == 'base' then
        out[#out + 1] = { key = 'b' .. (p.from + i), text = self.base[p.from + i + 1] }
      elseif p.kind == 'user' then
        out[#out + 1] = { key = 'u' .. (p.key + i) }
      elseif p.edited then
        out[#out + 1] = { key = ('e%d.%d'):format(p.hunk.start, i) }
      else
        out[#out + 1] = { text = p.hunk.lines[i + 1] }
      end
    end
  end
  return out
end

local function keys(tokens)
  local out = {}
  for _, t in ipairs(tokens) do
    if t.key then
      out[t.key] = true
    end
  end
  return out
end

local function same(x, y)
  return x and y and x.text ~= nil and x.text == y.text
end

---A change without the lines that stay at its ends; nil if none differ.
local function trimmed(at, a, b)
  local head, tail = 0, 0
  while same(a[head + 1], b[head + 1]) do
    head = head + 1
  end
  while tail < math.min(#a, #b) - head and same(a[#a - tail], b[#b - tail]) do
    tail = tail + 1
  end
  if head + tail == #a and head + tail == #b then
    return nil
  end
  local lines = vim.tbl_map(function(t)
    return t.text or ''
  end, vim.list_slice(b, head + 1, #b - tail))
  return { start = at + head, ['end'] = at + #a - tail, lines = lines }
end

---What to change in the buffer so that it shows these hunks, last line first; nil where
---the user has changed the lines that a hunk replaces.
---@param hunks tandem.LineChange[]
---@return tandem.LineChange[]?
function Draft:plan(hunks)
  local pieces = self:with(hunks)
  if not pieces then
    return nil
  end
  local a, b = self:tokens(self.pieces), self:tokens(pieces)
  local in_a, in_b = keys(a), keys(b)
  local out, i, j = {}, 1, 1
  while i <= #a or j <= #b do
    local from_a, from_b = i, j
    while a[i] and not in_b[a[i].key or false] do
      i = i + 1
    end
    while b[j] and not in_a[b[j].key or false] do
      j = j + 1
    end
    if i > from_a or j > from_b then
      local change = trimmed(from_a - 1, vim.list_slice(a, from_a, i - 1), vim.list_slice(b, from_b, j - 1))
      if change then
        table.insert(out, 1, change)
      end
    end
    i, j = i + 1, j + 1
  end
  return out
end

---The buffer has changed as planned.
function Draft:commit(hunks)
  self.pieces = self:with(hunks) or self.pieces
end

---The user has replaced lines of the buffer by count others. True: lines of a hunk were
---among them.
---@return boolean
function Draft:changed(start, stop, count)
  local user = self:user_piece(count)
  local out, at, placed, inside = {}, 0, false, false
  local function place()
    if not placed then
      out[#out + 1], placed = user, true
    end
  end
  for _, p in ipairs(self.pieces) do
    local n = p.count
    local from, to = math.max(start, at) - at, math.min(stop, at + n) - at
    local hit = from < to
      or (start == stop and at < start and start < at + n)
      or (p.kind == 'hunk' and n == 0 and start < at and at < stop)
    if p.kind == 'hunk' and hit and at <= start and stop <= at + n then
      p.count, p.edited = p.count + count - (stop - start), true
      return true
    end
    if not hit then
      if at >= stop then
        place()
      end
      out[#out + 1] = p
    elseif p.kind == 'hunk' then
      inside = true -- the change crosses its border: what is left is the user's
      vim.list_extend(out, { self:user_piece(math.max(from, 0)), self:user_piece(n - math.min(to, n)) })
    else
      out[#out + 1] = part(p, 0, from)
      if at + to >= stop then
        place()
      end
      out[#out + 1] = part(p, to, n)
    end
    at = at + n
  end
  place()
  self.pieces = vim.tbl_filter(function(p)
    return p.kind == 'hunk' or p.count > 0
  end, out)
  return inside
end

---The hunk's text is the buffer's from now on.
---@param index integer from 1
function Draft:accept(index)
  for i, p in ipairs(self.pieces) do
    if p.kind == 'hunk' then
      index = index - 1
      if index == 0 then
        self.pieces[i] = self:user_piece(p.count)
      end
    end
  end
end

---The line of the buffer at which a line of the base stands; nil if it is gone.
---@return integer?
function Draft:current(line)
  local at = 0
  for _, p in ipairs(self.pieces) do
    if p.kind == 'base' and p.from <= line and line < p.to then
      return at + line - p.from
    elseif p.kind == 'hunk' and p.hunk.start <= line and line < p.hunk['end'] then
      return at
    end
    at = at + p.count
  end
end

---Hunks of the buffer as it stands now, for which no hunk is shown, as hunks of the
---base. It is a function of the buffer at the time of this call.
---@return fun(hunks: tandem.LineChange[]): tandem.LineChange[]?
function Draft:frame()
  local lines = { [-1] = -1 }
  local at = 0
  for _, p in ipairs(self.pieces) do
    for i = 0, p.count - 1 do
      lines[at + i] = p.kind == 'base' and p.from + i or nil
    end
    at = at + p.count
  end
  return function(hunks)
    local out = {}
    for _, h in ipairs(hunks) do
      local start = lines[h.start]
      local last = lines[h['end'] - 1]
      if h.start == h['end'] then
        start = start or (last and last + 1)
        last = start and start - 1
      end
      if not start or not last or last - start ~= h['end'] - 1 - h.start then
        return nil
      end
      out[#out + 1] = { start = start, ['end'] = last + 1, lines = h.lines }
    end
    return out
  end
end

return Draft
