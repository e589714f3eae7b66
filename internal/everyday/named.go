package everyday

import (
	"strings"
	"sync"

	"github.com/goassay/assay/internal/gosyntax"
)

// textsByName are texts for parameters with these names, or with names that end in these words. A name has
// several texts because one case may have several such parameters.
var textsByName = map[string][]string{
	"name": {"ann", "bob"}, "user": {"ann", "bob"}, "username": {"ann", "bob"}, "owner": {"ann", "bob"}, "author": {"ann", "bob"}, "to": {"ann"}, "from": {"bob"},
	"text": {"hello"}, "msg": {"hello", "world"}, "message": {"hello", "world"}, "body": {"hello", "world"}, "content": {"hello"}, "title": {"Hello", "World"}, "description": {"A description.", "Another description."},
	"s": {"abc"}, "str": {"abc"}, "key": {"key"}, "k": {"key"}, "value": {"value"}, "v": {"value"}, "val": {"value"},
	"path": {"a/b", "a/c"}, "file": {"a.txt", "b.txt"}, "filename": {"a.txt", "b.txt"}, "dir": {"dir"}, "root": {"/srv/root", "/srv/www"}, "rootdir": {"/srv/root"}, "basedir": {"/srv/base"}, "ext": {".txt"},
	"sep": {","}, "separator": {","}, "delim": {","}, "delimiter": {","}, "prefix": {"ab"}, "suffix": {"yz"},
	"url": {"https://example.com/a", "https://example.com/b"}, "uri": {"https://example.com/a"}, "link": {"https://example.com/a"}, "href": {"https://example.com/a"},
	"host": {"example.com", "example.org"}, "hostname": {"example.com", "example.org"}, "domain": {"example.com", "example.org"}, "origin": {"https://example.com"}, "ip": {"192.0.2.1", "192.0.2.2"},
	"email": {"ann@example.com", "bob@example.com"}, "mail": {"ann@example.com"}, "token": {"token1", "token2"}, "password": {"secret"}, "secret": {"secret"},
	"id": {"id1", "id2"}, "tag": {"tag"}, "label": {"label", "caption"}, "lang": {"en", "de"}, "language": {"en", "de"}, "color": {"red", "blue"}, "version": {"1.2.3", "2.0.0"}, "date": {"2024-05-06", "2024-06-07"},
	"scheme": {"https"}, "word": {"word"}, "line": {"a line"}, "phone": {"555-0100"}, "city": {"Paris", "Rome"}, "country": {"France", "Italy"}, "currency": {"EUR", "USD"}, "topic": {"news", "sports"}, "cookie": {"session"},
	"currencycode": {"EUR", "USD"}, "countrycode": {"FR", "US"}, "locale": {"en-US", "de-DE"}, "timezone": {"Europe/Paris"}, "tz": {"Europe/Paris"}, "layout": {"2006-01-02"},
	"timeformat": {"15:04:05", "2006-01-02 15:04"}, "timelayout": {"15:04:05"}, "dateformat": {"2006-01-02"}, "datelayout": {"2006-01-02"}, "datetimeformat": {"2006-01-02 15:04"}, "timestampformat": {"2006-01-02 15:04"},
	"addr": {"192.0.2.1:8080", "192.0.2.2:8080"}, "address": {"192.0.2.1:8080", "192.0.2.2:8080"}, "cidr": {"192.0.2.0/24"}, "mac": {"00:00:5e:00:53:01"}, "uuid": {"123e4567-e89b-12d3-a456-426614174000", "9b2d0c1e-5f3a-4c8d-8e7f-0a1b2c3d4e5f"},
	"query": {"a=1&b=2"}, "json": {`{"a":1}`}, "level": {"info", "error"}, "unit": {"km", "kg"}, "regex": {"a+b"}, "zip": {"12345"}, "hex": {"c0ffee"},
	"format": {"%v", "%.1f"}, "indent": {"  ", "\t"}, "indentation": {"  "}, "pad": {" ", "."}, "padding": {" "}, "fill": {"*"}, "filler": {"*"}, "ignore": {"."}, "cutset": {" "}, "newline": {"\n"}, "eol": {"\n"},
	"ellipsis": {"..."}, "bullet": {"- "}, "quote": {`"`}, "comment": {"#"}, "op": {"add", "remove"}, "role": {"admin", "guest"}, "group": {"admins"}, "namespace": {"default"}, "app": {"app"}, "appname": {"app"},
	"region": {"us-east-1", "eu-west-1"}, "bucket": {"photos", "backups"}, "branch": {"main", "next"}, "repo": {"repo"}, "home": {"/home/ann"}, "homedir": {"/home/ann"}, "port": {"8080"}, "shell": {"/bin/sh"}, "editor": {"vi"}, "pager": {"less"},
	"contenttype": {"application/json", "text/plain"}, "mimetype": {"application/json", "text/plain"}, "mediatype": {"application/json", "text/plain"}, "charset": {"utf-8"},
}

// webTexts are texts for packages about HTTP, where these names mean something else.
var webTexts = map[string][]string{"path": {"/a/b", "/a/c"}, "method": {"GET", "POST"}, "pattern": {"/a"}, "route": {"/a"}, "glob": {"/a/*"},
	"header": {"X-Request-Id", "X-Total-Count"}, "origin": {"https://example.com", "https://app.example.com"}, "encoding": {"gzip"}, "realm": {"restricted"}, "useragent": {"curl/8.0"}}

// IsByName reports whether a text is one that people pass for a parameter of some name.
func IsByName(text string) bool { return textsByAnyName()[text] }

var textsByAnyName = sync.OnceValue(func() map[string]bool {
	out := make(map[string]bool)
	for _, table := range []map[string][]string{textsByName, webTexts} {
		for _, texts := range table {
			for _, t := range texts {
				out[t] = true
			}
		}
	}
	return out
})

// TextsFor returns texts as people pass them for a parameter or field of the given name, or nil if the name does not say what
// texts it takes. The parameter web says that the package is about HTTP.
func TextsFor(name string, web bool) []string {
	if web {
		return Named(name, singular, webTexts, textsByName)
	}
	return Named(name, singular, textsByName)
}

// Named returns the entry of the tables for a name, or for its last word. The function singular turns
// plurals, which are names of lists, into the names of their elements; it returns nil if a plural means
// something else.
func Named[T any](name string, singular func(string) string, tables ...map[string][]T) []T {
	words := gosyntax.Words(name)
	if len(words) == 0 {
		return nil
	}
	end := words[len(words)-1]
	keys := []string{strings.Join(words, ""), end}
	if singular != nil {
		keys = append(keys, singular(end))
	}
	for _, key := range keys {
		for _, t := range tables {
			if values := t[key]; values != nil {
				return values
			}
		}
	}
	return nil
}
