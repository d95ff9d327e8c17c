-- structured-lsp in Neovim 0.7 and newer: copy this file to ~/.config/nvim/plugin/structured.lua. It works beside clangd.
local markers = { 'compile_commands.json', 'build/compile_commands.json', '.git' }

-- Returns the nearest parent folder that contains a marker, or the folder of the file.
local function root_of(file)
  local folder = vim.fn.fnamemodify(file, ':p:h')
  local candidate = folder
  while true do
    for _, marker in ipairs(markers) do
      if vim.loop.fs_stat(candidate .. '/' .. marker) then
        return candidate
      end
    end
    local parent = vim.fn.fnamemodify(candidate, ':h')
    if parent == candidate then
      return folder
    end
    candidate = parent
  end
end

local clients = {} -- one for each project

local function attach(buffer)
  local file = vim.api.nvim_buf_get_name(buffer)
  if file == '' or vim.bo[buffer].buftype ~= '' then
    return
  end
  local root = root_of(file)
  if not clients[root] or not vim.lsp.get_client_by_id(clients[root]) then
    clients[root] = vim.lsp.start_client({
      name = 'structured-lsp',
      cmd = vim.g.structured_lsp_command or { 'structured-lsp' },
      root_dir = root,
      init_options = vim.g.structured_lsp_options,
    })
  end
  if clients[root] then
    vim.lsp.buf_attach_client(buffer, clients[root])
  end
end

vim.api.nvim_create_autocmd('FileType', {
  pattern = { 'cpp', 'cuda' },
  callback = function(event)
    attach(event.buf)
  end,
})
