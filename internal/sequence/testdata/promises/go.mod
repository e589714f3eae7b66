module subjects/promises

go 1.24
