module example.com/depth

go 1.26
