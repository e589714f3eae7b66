module subjects/speed

go 1.24
