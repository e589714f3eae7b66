module subjects/heaps

go 1.26
