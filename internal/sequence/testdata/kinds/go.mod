module subjects/kinds

go 1.26
