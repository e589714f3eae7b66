module example.com/asked

go 1.26
