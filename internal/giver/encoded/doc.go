// Package encoded writes the texts from which code decodes values of its types: JSON, YAML, TOML and XML as people write them into
// files, requests and answers.
//
//  1. Package requests knows into which types a function decodes, and in which notation (load/requests/decode.go).
//  2. [Samples] writes texts of such a type: with all fields, without some, with the constants that the code compares fields
//     with, and some that cannot be decoded. All are made as JSON whose keys are those of the notation (json.go, keys.go). The other
//     notations are written from that (yaml.go, toml.go, xml.go).
//  3. [By], [All] and [Failures] say which texts are for a function, and which for the whole package (decoded.go).
//
// A text may still be refused, because a library may have rules of its own. Every case that has one is run before anything is said
// about it.
//
// Not supported: anchors and tags of YAML, namespaces of XML, and notations that other modules than those of the encoders define.
package encoded
