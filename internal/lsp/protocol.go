package lsp

import "encoding/json"

// This file has the part of the protocol that is used, by its names. Lines and characters count
// from 0; characters are UTF-16 code units.

type position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

type span struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

type location struct {
	URI   string `json:"uri"`
	Range span   `json:"range"`
}

type textDocument struct {
	URI     string `json:"uri"`
	Version int    `json:"version"`
	Text    string `json:"text"`
}

type documentParams struct {
	TextDocument textDocument `json:"textDocument"`
}

type changeParams struct {
	TextDocument   textDocument `json:"textDocument"`
	ContentChanges []struct {
		Range *span  `json:"range"`
		Text  string `json:"text"`
	} `json:"contentChanges"`
}

type positionParams struct {
	TextDocument textDocument `json:"textDocument"`
	Position     position     `json:"position"`
}

type rangeParams struct {
	TextDocument textDocument `json:"textDocument"`
	Range        span         `json:"range"`
	Context      struct {
		Diagnostics []diagnostic `json:"diagnostics"`
		Only        []string     `json:"only"`
	} `json:"context"`
}

type workspaceFolder struct {
	URI string `json:"uri"`
}

type initializeParams struct {
	RootURI          string            `json:"rootUri"`
	WorkspaceFolders []workspaceFolder `json:"workspaceFolders"`
	Capabilities     struct {
		Window struct {
			WorkDoneProgress bool `json:"workDoneProgress"`
		} `json:"window"`
		Workspace struct {
			CodeLens struct {
				RefreshSupport bool `json:"refreshSupport"`
			} `json:"codeLens"`
			InlayHint struct {
				RefreshSupport bool `json:"refreshSupport"`
			} `json:"inlayHint"`
			WatchedFiles struct {
				Dynamic bool `json:"dynamicRegistration"`
			} `json:"didChangeWatchedFiles"`
		} `json:"workspace"`
	} `json:"capabilities"`
	InitializationOptions settings `json:"initializationOptions"`
}

// settings are options that a client may pass when it starts the server.
type settings struct {
	Tags       string `json:"tags"`       // build tags, comma-separated
	Unverified bool   `json:"unverified"` // hints at assertions that the analysis leaves open
	CheckOn    string `json:"checkOn"`    // "save" (the default) or "never": when code is executed
	Timeout    int    `json:"timeoutSeconds"`
}

// Severities of diagnostics.
const (
	severityError       = 1
	severityWarning     = 2
	severityInformation = 3
	severityHint        = 4
)

type diagnostic struct {
	Range    span            `json:"range"`
	Severity int             `json:"severity"`
	Code     string          `json:"code,omitempty"`
	Source   string          `json:"source"`
	Message  string          `json:"message"`
	Related  []related       `json:"relatedInformation,omitempty"`
	Data     *diagnosticData `json:"data,omitempty"`
}

// diagnosticData is the data that actions on a diagnostic need.
type diagnosticData struct {
	Package string `json:"package"`
	Func    string `json:"func"`
	Kind    string `json:"kind"`
	Test    string `json:"test,omitempty"` // a test file that shows it
}

type related struct {
	Location location `json:"location"`
	Message  string   `json:"message"`
}

type command struct {
	Title     string `json:"title"`
	Command   string `json:"command"`
	Arguments []any  `json:"arguments,omitempty"`
}

type codeLens struct {
	Range   span      `json:"range"`
	Command *command  `json:"command,omitempty"`
	Data    *lensData `json:"data,omitempty"`
}

// lensData is the data that resolving a lens (the paths of a function) needs.
type lensData struct {
	URI  string `json:"uri"`
	Func string `json:"func"`
}

type codeAction struct {
	Title       string         `json:"title"`
	Kind        string         `json:"kind"`
	Diagnostics []diagnostic   `json:"diagnostics,omitempty"`
	Command     *command       `json:"command,omitempty"`
	Edit        *workspaceEdit `json:"edit,omitempty"`
}

type workspaceEdit struct {
	DocumentChanges []any `json:"documentChanges"`
}

type createFile struct {
	Kind string `json:"kind"` // "create"
	URI  string `json:"uri"`
}

type documentEdit struct {
	TextDocument struct {
		URI     string `json:"uri"`
		Version *int   `json:"version"`
	} `json:"textDocument"`
	Edits []textEdit `json:"edits"`
}

type textEdit struct {
	Range   span   `json:"range"`
	NewText string `json:"newText"`
}

type inlayHint struct {
	Position    position `json:"position"`
	Label       string   `json:"label"`
	Tooltip     string   `json:"tooltip,omitempty"`
	PaddingLeft bool     `json:"paddingLeft"`
}

type hover struct {
	Contents struct {
		Kind  string `json:"kind"` // "markdown"
		Value string `json:"value"`
	} `json:"contents"`
	Range span `json:"range"`
}

type executeParams struct {
	Command   string            `json:"command"`
	Arguments []json.RawMessage `json:"arguments"`
}
