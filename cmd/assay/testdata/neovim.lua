-- Drives assay lsp in Neovim's own client. Prints what comes, and ends with an error where
-- something does not come.
local patience = 20 * 60 * 1000

local function say(text) io.stdout:write(text .. "\n") end

local function fail(text)
  say("FAILED: " .. text)
  vim.cmd("cquit 1")
end

local function wait(what, ok)
  if not vim.wait(patience, ok, 20) then fail("never: " .. what) end
end

local shown = {}
local client = vim.lsp.start_client({
  name = "assay",
  cmd = { vim.env.ASSAY, "lsp" },
  root_dir = vim.fn.getcwd(),
  handlers = {
    ["window/showMessage"] = function(_, result) table.insert(shown, result.message) end,
  },
})
if not client then fail("the server does not start") end
vim.lsp.buf_attach_client(0, client)
wait("the server is attached", function() return vim.lsp.buf_get_clients(0)[client] ~= nil end)

-- Beside gopls, if it is there: both serve the buffer.
local gopls
if vim.fn.executable("gopls") == 1 then
  gopls = vim.lsp.start_client({ name = "gopls", cmd = { "gopls" }, root_dir = vim.fn.getcwd() })
  if not gopls then fail("gopls does not start") end
  vim.lsp.buf_attach_client(0, gopls)
  wait("gopls is attached", function() return vim.lsp.buf_get_clients(0)[gopls] ~= nil end)
end

wait("diagnostics", function() return #vim.diagnostic.get(0) > 0 end)
for _, d in ipairs(vim.diagnostic.get(0)) do say("diagnostic " .. (d.lnum + 1) .. ": " .. d.message) end

local function ask(method, params)
  local answers, err = vim.lsp.buf_request_sync(0, method, params, patience)
  if err then fail(method .. ": " .. err) end
  local answer = answers[client]
  if not answer or answer.error then fail(method .. ": " .. vim.inspect(answer)) end
  return answer.result
end

local document = { uri = vim.uri_from_bufnr(0) }
for _, lens in ipairs(ask("textDocument/codeLens", { textDocument = document })) do
  if not lens.command then lens = ask("codeLens/resolve", lens) end
  say("lens: " .. lens.command.title)
end

local place = { line = 3, character = 6 }
say("hover: " .. ask("textDocument/hover", { textDocument = document, position = place }).contents.value:gsub("`", ""):gsub("| ", ""))

if gopls then
  local answers = vim.lsp.buf_request_sync(0, "textDocument/hover", { textDocument = document, position = { line = 3, character = 6 } }, patience)
  if not answers[gopls] or not answers[gopls].result then fail("gopls: " .. vim.inspect(answers[gopls])) end
  say("beside gopls: " .. answers[gopls].result.contents.value:gsub("\n", " "))
end

-- Runs the action at the place whose title begins with a text, and waits for the message.
local function run(title)
  local chosen
  for _, action in ipairs(ask("textDocument/codeAction", {
    textDocument = document, range = { start = place, ["end"] = place }, context = { diagnostics = {} },
  })) do
    say("action: " .. action.title)
    if action.title:find(title, 1, true) == 1 then chosen = action end
  end
  if not chosen then fail("no action " .. title) end
  local before = #shown
  ask("workspace/executeCommand", chosen.command)
  wait("the message of " .. title, function() return #shown > before end)
  say("message: " .. shown[#shown])
end

run("assay: write tests for Sign")
vim.fn.writefile(vim.fn.readfile("m_assay_test.go"), "written.txt")

-- In the file of tests: the test at the cursor becomes the user's.
vim.cmd("edit m_assay_test.go")
vim.lsp.buf_attach_client(0, client)
document = { uri = vim.uri_from_bufnr(0) }
place = { line = vim.fn.search("^func TestSign(") - 1, character = 0 }
run("assay: adopt this test (TestSign)")

vim.lsp.stop_client(client)
if gopls then vim.lsp.stop_client(gopls) end
wait("the server ends", function() return vim.lsp.client_is_stopped(client) end)
say("done")
vim.cmd("qall!")
