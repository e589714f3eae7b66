// Package requests finds out which functions of a package send HTTP requests, what they decode of the answers, and what they look
// for in these. Tests answer requests by what is known here, without a network.
//
//  1. [Of] reads all functions of the package, and those of other packages of its module that they reach by calls (find.go). Of
//     each it notes the calls, whether it sends a request (sends.go), which statuses, keys of headers and fields it compares
//     (looks.go), and which values go where: into parameters, fields and variables (flow.go).
//  2. From the parameters of json.Unmarshal and the like the values are followed back to where their types are known: into what
//     an argument points to, through parameters of any type, fields, type parameters, and interfaces of other packages (decode.go).
//
// Functions, parameters and fields are named by texts, because a package that others import by its export data has other objects
// than its source.
//
// Invariants: the same packages lead to the same facts in the same order. Other packages are loaded only when a call leads into
// them, and only so many functions of them are read. Too much may be found: values are followed through fields of one name in
// one package as if these were one field.
//
// Not supported: values that functions return, or that channels, lists and maps hold; requests that another module sends.
package requests
