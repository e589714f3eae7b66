-- Shows what assay lsp says of a file, for a picture: diagnostics, lenses, and the paths of a function.
vim.o.termguicolors = true
vim.o.number = true
vim.o.signcolumn = "yes"
vim.cmd("syntax on | highlight Pmenu guibg=#2b303b guifg=#d8dee9 | highlight SignColumn guibg=NONE | highlight NonText guifg=#4c566a")
local client = vim.lsp.start_client({
  name = "assay",
  cmd = { vim.env.ASSAY, "lsp" },
  root_dir = vim.fn.getcwd(),
  handlers = { ["window/showMessage"] = function() end },
  on_attach = function()
    vim.lsp.buf_notify(0, "textDocument/didSave", { textDocument = vim.lsp.util.make_text_document_params() })
    vim.lsp.codelens.refresh()
  end,
})
vim.lsp.buf_attach_client(0, client)
local timer = vim.loop.new_timer()
timer:start(500, 500, vim.schedule_wrap(function()
  if #vim.diagnostic.get(0) == 0 then return end
  timer:stop()
  vim.lsp.codelens.refresh()
  vim.fn.cursor(4, 7)
  vim.lsp.buf.hover()
end))
