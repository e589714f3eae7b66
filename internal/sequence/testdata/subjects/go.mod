module subjects/containers

go 1.26
