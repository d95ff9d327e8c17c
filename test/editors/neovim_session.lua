-- Run by neovim.py in a headless Neovim: uses the language server through editors/neovim.lua.
local folder, plugin, server, log = unpack(vim.fn.split(vim.env.STRUCTURED_TEST, ';'))
vim.g.structured_lsp_command = { server }
vim.cmd('filetype on')
vim.cmd('source ' .. plugin)

local out = io.open(log, 'w')
local function say(...)
  out:write(table.concat({ ... }, ' '), '\n')
  out:flush()
end

local function wait(what, condition)
  if not vim.wait(60000, condition, 20) then
    say('no answer in a minute: ' .. what)
    vim.cmd('cquit')
  end
end

local function edit(file)
  vim.cmd('edit ' .. folder .. '/' .. file)
  local buffer = vim.api.nvim_get_current_buf()
  wait('a client for ' .. file, function()
    return next(vim.lsp.buf_get_clients(buffer)) ~= nil
  end)
  return buffer
end

local function shown(buffer)
  local lines = {}
  for _, each in ipairs(vim.diagnostic.get(buffer)) do
    table.insert(lines, string.format('%d:%d %s', each.lnum + 1, each.col + 1, each.message))
  end
  return lines
end

local function wait_for_errors(buffer, count)
  wait(count .. ' diagnostics', function()
    return #vim.diagnostic.get(buffer) == count
  end)
  for _, line in ipairs(shown(buffer)) do
    say('  ' .. line)
  end
end

local function request(buffer, method, params)
  local answers = vim.lsp.buf_request_sync(buffer, method, params, 60000)
  for _, answer in pairs(answers or {}) do
    if answer.result then
      return answer.result
    end
  end
  say('no answer to ' .. method)
  vim.cmd('cquit')
end

local function at(buffer, line, character)
  return {
    textDocument = { uri = vim.uri_from_bufnr(buffer) },
    position = { line = line - 1, character = character - 1 },
  }
end

local function fix(buffer)
  local first = vim.diagnostic.get(buffer)[1]
  local place = { line = first.lnum, character = first.col }
  local actions = request(buffer, 'textDocument/codeAction', {
    textDocument = { uri = vim.uri_from_bufnr(buffer) },
    range = { start = place, ['end'] = place },
    context = { diagnostics = {} },
  })
  for _, action in ipairs(actions) do
    if action.kind == 'quickfix' then
      say('apply: ' .. action.title)
      vim.lsp.util.apply_workspace_edit(action.edit, 'utf-16')
      return
    end
  end
  say('no quick fix')
end

say('one file: an error is typed')
local one = edit('one.cpp')
wait_for_errors(one, 0)
vim.api.nvim_buf_set_lines(one, 7, 8, false, { 'void relu_cpu(double self, const Tensor& out) {}' })
wait_for_errors(one, 1)
fix(one)
wait_for_errors(one, 0)
say(vim.api.nvim_buf_get_lines(one, 7, 8, false)[1])

say('two files: the impl is wrong, the meta function is not open')
local cpu = edit('cpu.cpp')
wait_for_errors(cpu, 1)
fix(cpu)
wait_for_errors(cpu, 0)

say('two files: the meta function changes, and is not saved')
local meta = edit('meta.cpp')
vim.api.nvim_buf_set_lines(meta, 3, 4, false, { 'void scale_meta(MetaBase& op, const Tensor& self, const Scalar& factor) {' })
wait_for_errors(cpu, 1)
fix(cpu)
wait_for_errors(cpu, 0)

say('hover')
local hover = request(cpu, 'textDocument/hover', at(cpu, 4, 8))
say(hover.contents.value)

say('completion')
vim.api.nvim_buf_set_lines(cpu, 4, 4, false, { '[[structured::impl("scale.out", "")]]' })
local items = request(cpu, 'textDocument/completion', at(cpu, 5, 34)).items
table.sort(items, function(a, b)
  return a.sortText < b.sortText
end)
say(items[1].label)

say('to the meta function')
local places = request(cpu, 'textDocument/definition', at(cpu, 4, 8))
say(vim.fn.fnamemodify(vim.uri_to_fname(places[1].uri), ':t'), tostring(places[1].range.start.line + 1))
say('done')
vim.cmd('qall!')
