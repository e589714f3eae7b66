package encoded

import (
	"encoding/json"
	"fmt"
	"strings"
)

// member is a member of an object of JSON.
type member struct {
	key   string
	value any
}

// object is an object of JSON, in the order in which it is written.
type object []member

// treeOf reads JSON: objects as [object], lists as []any, and the rest as package encoding/json reads it.
func treeOf(text string) any {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	v, err := readTree(d)
	if err != nil {
		panic(fmt.Sprintf("bug: encoded: %q is no JSON: %v", text, err))
	}
	return v
}

func readTree(d *json.Decoder) (any, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('{'):
		o := object{}
		for d.More() {
			key, err := d.Token()
			if err != nil {
				return nil, err
			}
			v, err := readTree(d)
			if err != nil {
				return nil, err
			}
			o = append(o, member{key.(string), v})
		}
		_, err = d.Token()
		return o, err
	case json.Delim('['):
		list := []any{}
		for d.More() {
			v, err := readTree(d)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err = d.Token()
		return list, err
	}
	return token, nil
}
