package notation

// versions are versions of a text, for functions that find out what differs.
var versions = Notation{
	names: []string{"version of a text"},
	Accepted: []Text{
		{"three lines", "one\ntwo\nthree\n"},
		{"a line changed, one added", "one\n2\nthree\nfour\n"},
		{"a line left out", "one\nthree\n"},
		{"no line break at the end", "one\ntwo\nthree"},
	},
}

// routes are patterns of paths, in packages about HTTP.
var routes = Notation{
	names: []string{"path", "pattern", "route", "relativepath"},
	Accepted: []Text{
		{"fixed path", "/users"},
		{"parameter in braces", "/users/{id}"},
		{"parameter behind a colon", "/users/:id"},
		{"root", "/"},
		{"two parameters in braces", "/users/{id}/posts/{post}"},
		{"two parameters behind colons", "/users/:id/posts/:post"},
		{"regular expression", "/users/{id:[0-9]+}"},
		{"wildcard", "/static/*"},
		{"named wildcard", "/static/*file"},
		{"trailing slash", "/users/"},
		{"method in front", "GET /users"},
	},
	Refused: []Text{
		{"unclosed brace", "/users/{id"},
		{"no leading slash", "users"},
	},
}

// table has the notations. Where a word stands for two of them, the first one counts. Texts are short enough for a row of
// a table, and show one thing each.
var table = []Notation{
	{
		names: []string{"json", "jsonc", "json5"}, mentions: []string{"json"},
		Accepted: []Text{
			{"object", `{"name":"Ann","age":42}`},
			{"nested object", `{"a":{"b":[1,{"c":2}]}}`},
			{"list of each kind", `[1, -2.5e3, true, false, null, "x"]`},
			{"keys out of order", `{"b": 1, "a": [], "c": {}}`},
			{"escapes", `{"q":"say \"hi\"\n\u00e9"}`},
			{"lines", "{\n  \"a\": [\n    1,\n    2\n  ]\n}\n"},
			{"text", `"hello"`},
			{"number", "42"},
			{"comments and trailing comma", "{\n  // first\n  \"a\": 1, /* one */\n}"},
			{"numbers beyond JSON", "[+1, Infinity, -Infinity, NaN]"},
		},
		Refused: []Text{
			{"unclosed object", `{"name":"Ann"`},
			{"unclosed list", `[1, 2`},
			{"unclosed text", `{"name":"Ann`},
			{"missing colon", `{"name" "Ann"}`},
			{"trailing comma", `[1, 2,]`},
			{"something behind the end", `{"a":1} x`},
			{"no value", `{"a":}`},
		},
	}, {
		names: []string{"html", "xhtml", "tags"}, mentions: []string{"html", "xhtml"},
		Accepted: []Text{
			{"paragraph", "<p>Hello, <b>world</b>!</p>"},
			{"link", `<a href="https://example.com/?a=1&amp;b=2" title="A">link</a>`},
			{"list", "<ul><li>one</li><li>two</li></ul>"},
			{"image", `<img src="a.png" alt="A">`},
			{"entities", "5 &lt; 6 &amp;&amp; 7 &gt; 2 &copy;"},
			{"plain text", "Hello, world!"},
			{"unescaped signs", `5 < 6 & "7" > 2`},
			{"script", "<script>alert(1)</script><p>ok</p>"},
			{"event handler", `<p onclick="alert(1)" class="a">text</p>`},
			{"comment", "a<!-- hidden --><br/>b"},
		},
		Refused: []Text{
			{"unclosed element", "<p>one<p>two"},
			{"unclosed tag", `<a href="https://example.com`},
		},
	}, {
		names: []string{"xml", "svg", "rss", "atom"}, mentions: []string{"xml", "rss"},
		Accepted: []Text{
			{"element with attribute", `<note id="1"><to>Ann</to><body>Hello &amp; welcome</body></note>`},
			{"repeated elements", "<list><item>1</item><item>2</item></list>"},
			{"declaration", `<?xml version="1.0" encoding="UTF-8"?><a/>`},
			{"namespace", `<x:a xmlns:x="urn:x"><x:b>1</x:b></x:a>`},
			{"comment and CDATA", "<a><!-- c --><![CDATA[x < y]]></a>"},
			{"lines", "<a>\n  <b>1</b>\n  <c/>\n</a>\n"},
		},
		Refused: []Text{
			{"mismatched end", "<a><b></a>"},
			{"unclosed element", "<a><b>1</b>"},
			{"unknown entity", "<a>&nope;</a>"},
			{"no element", "hello"},
		},
	}, {
		names: []string{"markdown", "md", "commonmark", "gfm"}, mentions: []string{"markdown"},
		Accepted: []Text{
			{"heading and emphasis", "# Title\n\nSome *emphasis* and **strong** text.\n"},
			{"list", "- one\n- two\n  - nested\n"},
			{"numbered list", "1. one\n2. two\n"},
			{"link", `See [the docs](https://example.com "Docs").`},
			{"image", "![A picture](a.png)"},
			{"code", "Call `f(x)`.\n\n```go\nx := 1\n```\n"},
			{"quote", "> one\n> two\n"},
			{"table", "| a | b |\n|---|--:|\n| 1 | 2 |\n"},
			{"rule", "one\n\n---\n\ntwo\n"},
			{"underlined heading", "Title\n=====\n\ntext\n"},
			{"autolink", "<https://example.com> and ann@example.com"},
			{"escapes", `\*not emphasis\* &amp; 1 < 2`},
		},
	}, {
		names: []string{"csv", "tsv"}, mentions: []string{"csv", "tsv"},
		Accepted: []Text{
			{"header and rows", "name,age\nAnn,42\nBob,36\n"},
			{"quoted comma", "a,\"b,c\",d\n"},
			{"quoted quote", "\"say \"\"hi\"\"\",2\n"},
			{"empty field", "a,,c\n"},
			{"tabs", "a\tb\n1\t2\n"},
		},
		Refused: []Text{
			{"rows of different length", "a,b\n1,2,3\n"},
			{"unclosed quote", "a,\"b\n"},
		},
	}, {
		names: []string{"yaml", "yml"}, mentions: []string{"yaml"},
		Accepted: []Text{
			{"keys", "name: Ann\nage: 42\n"},
			{"list", "- one\n- two\n"},
			{"nested", "server:\n  port: 8080\n  hosts:\n    - a\n    - b\n"},
			{"flow style", "a: {b: [1, 2], c: null}\n"},
			{"block text", "text: |\n  one\n  two\n"},
			{"comment and quotes", "# top\na: \"x: y\" # end\n"},
		},
		Refused: []Text{
			{"unclosed list", "a: [1, 2\n"},
			{"tab", "a:\n\tb: 1\n"},
		},
	}, {
		names: []string{"toml"}, mentions: []string{"toml"},
		Accepted: []Text{
			{"keys", "name = \"Ann\"\nage = 42\n"},
			{"table", "[server]\nport = 8080\nhosts = [\"a\", \"b\"]\n"},
			{"list of tables", "[[item]]\nid = 1\n[[item]]\nid = 2\n"},
			{"date and float", "at = 2024-05-06T07:08:09Z\nx = 1.5\n"},
			{"comment", "a = 1 # one\n"},
		},
		Refused: []Text{
			{"no value", "a =\n"},
			{"unclosed text", "a = \"x\n"},
		},
	}, {
		names: []string{"ini", "properties", "conf", "config", "cfg"}, mentions: []string{"ini"},
		Accepted: []Text{
			{"section", "[server]\nhost = example.com\nport = 8080\n"},
			{"key and value", "name=Ann\n"},
			{"comments", "# one\n; two\na = 1\n"},
			{"quoted value", "name = \"Ann Lee\"\n"},
			{"no value", "name=\n"},
		},
		Refused: []Text{
			{"no separator", "name\n"},
			{"unclosed section", "[server\nport = 8080\n"},
		},
	}, {
		names: []string{"dotenv", "environ"}, mentions: []string{"dotenv"},
		Accepted: []Text{
			{"two variables", "NAME=Ann\nPORT=8080\n"},
			{"export", "export NAME=Ann\n"},
			{"quotes", "A=\"x y\"\nB='$A'\n"},
			{"reference", "HOST=example.com\nURL=https://${HOST}/a\n"},
			{"comment", "# top\nA=1 # end\n"},
			{"no value", "A=\n"},
		},
		Refused: []Text{
			{"no equals sign", "INVALID\n"},
			{"unclosed quote", "A=\"x\n"},
		},
	}, {
		names: []string{"querystring", "query", "params", "formdata"},
		Accepted: []Text{
			{"two parameters", "a=1&b=2"},
			{"repeated parameter", "a=1&a=2"},
			{"escapes", "q=hello+world&x=%26%3D"},
			{"no value", "debug&a="},
		},
		Refused: []Text{
			{"invalid escape", "a=%zz"},
		},
	}, {
		names: []string{"url", "uri", "href", "link", "endpoint", "dsn"}, mentions: []string{"url", "urls", "uri", "uris"},
		Accepted: []Text{
			{"host and path", "https://example.com/a/b"},
			{"query and fragment", "https://example.com/search?q=go&page=2#top"},
			{"user and port", "postgres://ann:secret@localhost:5432/shop"},
			{"no path", "http://example.com"},
			{"absolute path", "/a/b?x=1"},
			{"escapes", "https://example.com/a%20b/%C3%A9"},
			{"upper case", "HTTPS://Example.COM/A"},
			{"IPv6 host", "http://[2001:db8::1]:8080/"},
			{"mailto", "mailto:ann@example.com"},
			{"no scheme", "example.com/a"},
		},
		Refused: []Text{
			{"unknown scheme", "foo://bar"},
			{"invalid port", "http://example.com:port/"},
			{"invalid escape", "https://example.com/%zz"},
			{"space", "https://example.com/a b"},
		},
	}, {
		names: []string{"email", "mail", "mailbox"}, mentions: []string{"email", "emails"},
		Accepted: []Text{
			{"address", "ann@example.com"},
			{"name and address", "Ann Lee <ann@example.com>"},
			{"dots and tag", "ann.b+tag@mail.example.org"},
			{"upper case", "Ann@Example.COM"},
		},
		Refused: []Text{
			{"no at sign", "ann.example.com"},
			{"no local part", "@example.com"},
			{"no domain", "ann@"},
			{"two at signs", "ann@b@example.com"},
			{"space", "ann lee@example.com"},
		},
	}, {
		names: []string{"cidr", "subnet"}, mentions: []string{"cidr"},
		Accepted: []Text{
			{"IPv4 network", "192.0.2.0/24"},
			{"IPv6 network", "2001:db8::/32"},
			{"one address", "10.0.0.1/32"},
			{"host bits set", "192.0.2.7/24"},
		},
		Refused: []Text{
			{"prefix too long", "192.0.2.0/33"},
			{"no prefix", "192.0.2.0"},
		},
	}, {
		names: []string{"ip", "ipv4", "ipv6"}, mentions: []string{"ipv4", "ipv6"},
		Accepted: []Text{
			{"IPv4", "192.0.2.1"},
			{"IPv6", "2001:db8::1"},
			{"loopback", "127.0.0.1"},
			{"IPv6 loopback", "::1"},
			{"private", "10.1.2.3"},
			{"IPv4 in IPv6", "::ffff:192.0.2.1"},
		},
		Refused: []Text{
			{"part out of range", "256.1.1.1"},
			{"three parts", "1.2.3"},
			{"name", "example.com"},
		},
	}, {
		names: []string{"hostport", "addr", "address"},
		Accepted: []Text{
			{"host and port", "example.com:8080"},
			{"IPv4 and port", "192.0.2.1:80"},
			{"IPv6 and port", "[2001:db8::1]:443"},
			{"port", ":8080"},
		},
		Refused: []Text{
			{"no port", "example.com"},
			{"port out of range", "example.com:99999"},
		},
	}, {
		names: []string{"host", "hostname", "domain", "dns", "fqdn"}, mentions: []string{"hostname"},
		Accepted: []Text{
			{"domain", "example.com"},
			{"subdomain", "www.shop.example.co.uk"},
			{"name", "localhost"},
			{"trailing dot", "example.com."},
			{"upper case", "Example.COM"},
			{"punycode", "xn--bcher-kva.example"},
		},
		Refused: []Text{
			{"hyphen in front", "-example.com"},
			{"underscore", "a_b.example.com"},
			{"empty label", "example..com"},
			{"host and port", "example.com:8080"},
			{"IPv6 and port", "[2001:db8::1]:443"},
		},
	}, {
		names:    []string{"mac", "macaddress"},
		Accepted: []Text{{"colons", "00:00:5e:00:53:01"}, {"hyphens", "00-00-5E-00-53-01"}, {"dots", "0000.5e00.5301"}},
		Refused:  []Text{{"five parts", "00:00:5e:00:53"}, {"no hexadecimal", "00:00:5e:00:53:zz"}},
	}, {
		names: []string{"uuid", "guid"}, mentions: []string{"uuid", "uuids", "guid"},
		Accepted: []Text{
			{"canonical", "123e4567-e89b-12d3-a456-426614174000"},
			{"upper case", "123E4567-E89B-12D3-A456-426614174000"},
			{"URN", "urn:uuid:123e4567-e89b-12d3-a456-426614174000"},
			{"braces", "{123e4567-e89b-12d3-a456-426614174000}"},
			{"no hyphens", "123e4567e89b12d3a456426614174000"},
			{"nil", "00000000-0000-0000-0000-000000000000"},
		},
		Refused: []Text{
			{"too short", "123e4567-e89b-12d3-a456"},
			{"no hexadecimal", "123e4567-e89b-12d3-a456-42661417400g"},
		},
	}, {
		names:    []string{"decimal", "udecimal", "bigdecimal", "numeric"},
		Accepted: []Text{{"fraction", "2.5"}, {"whole", "10"}, {"negative", "-1.5"}},
		Refused:  []Text{{"two points", "1.2.3"}, {"letter", "1x"}},
	}, {
		names: []string{"semver", "version", "ver"}, mentions: []string{"semver"},
		Accepted: []Text{
			{"release", "1.2.3"},
			{"pre-release and build", "2.0.0-rc.1+build.5"},
			{"leading v", "v1.10.0"},
			{"two parts", "1.2"},
			{"one part", "3"},
			{"pre-release", "1.0.0-alpha"},
		},
		Refused: []Text{
			{"leading zero", "1.02.3"},
			{"letter for a number", "1.2.x"},
			{"empty part", "1..3"},
			{"empty pre-release", "1.2.3-"},
		},
	}, {
		names:    []string{"constraint", "requirement"},
		Accepted: []Text{{"exact", "1.2.3"}, {"at least", ">= 1.2"}, {"range", ">= 1.2, < 2.0"}, {"caret", "^1.2.3"}, {"tilde", "~1.2"}, {"wildcard", "1.x"}, {"alternatives", "1.x || >= 3"}, {"hyphen range", "1.2 - 2.3"}},
		Refused:  []Text{{"no version", ">="}},
	}, {
		names: []string{"duration", "timeout", "interval", "ttl"},
		Accepted: []Text{
			{"hours and minutes", "1h30m"},
			{"milliseconds", "250ms"},
			{"fraction", "1.5s"},
			{"negative", "-5m"},
			{"ISO 8601", "P1DT2H30M"},
			{"days", "2d"},
			{"words", "2 hours 30 minutes"},
		},
		Refused: []Text{
			{"no unit", "10"},
			{"unknown unit", "10x"},
		},
	}, {
		names: []string{"date", "time", "datetime", "timestamp", "rfc3339", "iso8601", "day", "birthday"}, mentions: []string{"rfc3339", "iso8601", "timestamp"},
		Accepted: []Text{
			{"date", "2024-05-06"},
			{"date and time in UTC", "2024-05-06T07:08:09Z"},
			{"offset and fraction", "2024-05-06T07:08:09.123+02:00"},
			{"space between", "2024-05-06 07:08:09"},
			{"month's name", "May 6, 2024"},
			{"slashes", "05/06/2024"},
			{"RFC 1123", "Mon, 06 May 2024 07:08:09 GMT"},
			{"time of day", "07:08"},
			{"leap day", "2024-02-29"},
		},
		Refused: []Text{
			{"leap day in another year", "2023-02-29"},
			{"month out of range", "2024-13-01"},
			{"hour out of range", "2024-05-06T25:00:00Z"},
			{"incomplete", "2024-05"},
		},
	}, {
		names: []string{"cron", "crontab", "schedule", "cronexpr"}, mentions: []string{"cron", "crontab"},
		Accepted: []Text{
			{"every five minutes", "*/5 * * * *"},
			{"working days at nine", "0 9 * * 1-5"},
			{"names", "30 4 * JAN,JUL MON"},
			{"list", "0 0 1,15 * *"},
			{"macro", "@daily"},
			{"interval", "@every 1h30m"},
			{"seconds", "0 0 12 * * *"},
			{"last day", "0 0 L * *"},
		},
		Refused: []Text{
			{"minute out of range", "60 * * * *"},
			{"too few fields", "* * *"},
			{"zero step", "*/0 * * * *"},
			{"range backwards", "0 0 * * 5-1"},
		},
	}, {
		names: []string{"mimetype", "mime", "mediatype", "contenttype", "accept"}, mentions: []string{"mime"},
		Accepted: []Text{
			{"type", "application/json"},
			{"parameter", "text/html; charset=utf-8"},
			{"qualities", "text/html, application/json;q=0.8, */*;q=0.1"},
			{"boundary", "multipart/form-data; boundary=xyz"},
			{"suffix", "application/vnd.api+json"},
		},
		Refused: []Text{
			{"no subtype", "text"},
			{"no value", "text/html; charset"},
		},
	}, {
		names: []string{"cookie"}, mentions: []string{"cookie"},
		Accepted: []Text{{"one cookie", "session=abc123"}, {"two cookies", "a=1; b=2"}, {"attributes", "session=abc; Path=/; Max-Age=60; HttpOnly"}, {"no value", "session="}},
		Refused:  []Text{{"no name", "=abc"}},
	}, {
		names: []string{"useragent"},
		Accepted: []Text{
			{"Firefox", "Mozilla/5.0 (X11; Linux x86_64; rv:125.0) Gecko/20100101 Firefox/125.0"},
			{"iPhone", "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 Version/17.4 Mobile/15E148 Safari/604.1"},
			{"bot", "Googlebot/2.1 (+http://www.google.com/bot.html)"}, {"command line", "curl/8.5.0"},
		},
	}, {
		names: []string{"color", "colour", "rgb", "rgba", "hsl"}, mentions: []string{"rgb", "hsl"},
		Accepted: []Text{
			{"six digits", "#ff8800"},
			{"three digits", "#f80"},
			{"with alpha", "#FF8800CC"},
			{"no number sign", "ff8800"},
			{"rgb", "rgb(255, 136, 0)"},
			{"name", "red"},
		},
		Refused: []Text{
			{"five digits", "#ff880"},
			{"no hexadecimal", "#gg8800"},
		},
	}, {
		names: []string{"base64", "b64"}, mentions: []string{"base64"},
		Accepted: []Text{{"text", "aGVsbG8="}, {"no padding", "aGVsbG8"}, {"two padding signs", "YQ=="}, {"URL alphabet", "-_-_"}},
		Refused:  []Text{{"cut off", "aGVsb"}, {"foreign sign", "aGVs!G8="}},
	}, {
		names: []string{"hex", "hexadecimal"}, mentions: []string{"hexadecimal"},
		Accepted: []Text{{"lower case", "c0ffee"}, {"upper case", "DEADBEEF"}, {"prefix", "0x1f"}},
		Refused:  []Text{{"odd length", "abc"}, {"no hexadecimal", "xyz1"}},
	}, {
		names: []string{"regexp", "regex", "regexpr"}, mentions: []string{"regexp", "regex"},
		Accepted: []Text{
			{"class and repetition", `^[a-z]+\d{2,3}$`},
			{"alternatives", "(cat|dog)s?"},
			{"flag", "(?i)hello"},
			{"named group", `(?P<year>\d{4})-(\d\d)`},
			{"literal", "hello"},
		},
		Refused: []Text{
			{"unclosed group", "(a"},
			{"unclosed class", "[a-z"},
			{"nothing to repeat", "*a"},
		},
	}, {
		names: []string{"glob", "wildcard", "pattern", "ignore", "gitignore"}, mentions: []string{"glob", "wildcard", "wildcards"},
		Accepted: []Text{
			{"star", "*.go"},
			{"question mark", "a?c"},
			{"class", "[a-c]*.txt"},
			{"two stars", "src/**/*.go"},
			{"alternatives", "{a,b}.txt"},
			{"negated class", "[^a]bc"},
			{"escape", `a\*b`},
			{"literal", "abc"},
			{"several stars", "a*b*c"},
			{"range of digits", "log[0-9].txt"},
			{"negated class of the shell", "[!a-c]x"},
			{"star in a directory", "src/*/main.go"},
			{"hidden file", "*rc"},
		},
		Refused: []Text{
			{"unclosed class", "[a-c"},
		},
	}, {
		names: []string{"shell", "command", "cmd", "shellquote", "shlex", "cmdline", "args", "argv"}, mentions: []string{"shell", "posix"},
		Accepted: []Text{
			{"words", "ls -la /tmp"},
			{"double quotes", `echo "hello world" end`},
			{"single quotes", `echo 'it is "so"'`},
			{"escaped space", `cat my\ file`},
			{"escaped quote", `echo "say \"hi\""`},
			{"comment", "make all # now"},
			{"empty quotes", `a "" b`},
			{"pipe", "cat a | wc -l"},
			{"variable", "echo $HOME ${USER}"},
			{"adjacent quotes", `a'b c'"d e"f`},
			{"line continuation", "echo a\\\nb"},
			{"line breaks and tabs", "one\ntwo\tthree\n"},
			{"escapes in double quotes", `"a\$b \c \\"`},
		},
		Refused: []Text{
			{"unclosed double quote", `echo "hello`},
			{"unclosed single quote", "echo 'hello"},
			{"escape at the end", `echo a\`},
		},
	}, {
		names: []string{"mustache", "handlebars"}, mentions: []string{"mustache", "handlebars"}, of: "template",
		Accepted: []Text{
			{"name", "Hello, {{name}}!"},
			{"section", "{{#items}}<b>{{name}}</b>{{/items}}"},
			{"inverted section", "{{^items}}nothing{{/items}}"},
			{"comment", "a{{! note }}b"},
			{"three braces", "{{{text}}}"},
			{"ampersand", "{{&text}}"},
			{"list", "{{#names}}{{.}},{{/names}}"},
			{"dotted name", "{{person.name}}"},
			{"other delimiters", "{{=<% %>=}}<%name%>"},
			{"section on lines of its own", "{{#items}}\n* {{name}}\n{{/items}}\n"},
			{"no name", "Hello!"},
		},
		Refused: []Text{
			{"unclosed name", "Hello, {{name"},
			{"unclosed section", "{{#items}}{{name}}"},
			{"another section closed", "{{#items}}{{/names}}"},
			{"nothing to close", "{{/items}}"},
		},
	}, {
		names: []string{"template", "tmpl", "tpl", "interpolate", "fasttemplate"}, mentions: []string{"template"},
		Accepted: []Text{
			{"field", "Hello, {{.Name}}!"},
			{"name in braces", "Hello, {{name}}!"},
			{"dollar", "Hello, ${name} and $other"},
			{"two fields", "{{.A}}-{{.B}}"},
			{"loop", "{{range .Items}}{{.}},{{end}}"},
			{"no field", "Hello!"},
		},
		Refused: []Text{
			{"unclosed field", "Hello, {{.Name"},
		},
	}, {
		names: []string{"sql", "sqlquery", "stmt", "ddl"}, mentions: []string{"sql"},
		Accepted: []Text{
			{"select", "SELECT id, name FROM users WHERE age > 18 ORDER BY name"},
			{"insert", "INSERT INTO users (id, name) VALUES (1, 'Ann')"},
			{"update", "UPDATE users SET name = ? WHERE id = ?"},
			{"join", "SELECT u.id, COUNT(*) FROM users u JOIN orders o ON o.uid = u.id GROUP BY u.id"},
			{"comment", "-- all\nSELECT * FROM t; /* end */"},
			{"quoted quote", "SELECT 'it''s' AS a"},
			{"create table", "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT NOT NULL)"},
		},
		Refused: []Text{
			{"no table", "SELECT * FROM"},
			{"unclosed text", "SELECT 'a"},
		},
	}, {
		names: []string{"diff", "patch"}, mentions: []string{"diff", "patch"},
		Accepted: []Text{
			{"one line changed", "--- a/x.txt\n+++ b/x.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n"},
			{"new file", "--- /dev/null\n+++ b/x.txt\n@@ -0,0 +1 @@\n+one\n"},
		},
		Refused: []Text{
			{"header broken", "@@ -1 @@\n"},
		},
	}, {
		names: []string{"phone", "telephone", "msisdn"}, mentions: []string{"phone"},
		Accepted: []Text{{"international", "+1 555 010 0199"}, {"parentheses", "(555) 010-0199"}, {"digits", "5550100199"}, {"extension", "555-0100 x42"}},
		Refused:  []Text{{"letters", "555-CALL"}, {"too short", "55"}},
	}, {
		names: []string{"language", "lang", "locale", "bcp47"}, mentions: []string{"bcp", "locale"},
		Accepted: []Text{{"language", "en"}, {"region", "en-US"}, {"script", "zh-Hant-TW"}, {"underscore and charset", "de_DE.UTF-8"}, {"list with qualities", "da, en-GB;q=0.8, en;q=0.7"}},
		Refused:  []Text{{"unknown", "xx-YY"}, {"not a tag", "english!"}},
	}, {
		names: []string{"roman", "numeral"}, mentions: []string{"roman"},
		Accepted: []Text{{"subtraction", "XIV"}, {"addition", "VIII"}, {"largest", "MMMCMXCIX"}, {"lower case", "xlii"}},
		Refused:  []Text{{"too many", "IIII"}, {"wrong order", "IC"}, {"foreign letter", "ABC"}},
	}, {
		names:    []string{"bytesize", "filesize", "size", "humanize", "quantity"},
		Accepted: []Text{{"megabytes", "10MB"}, {"binary unit", "1.5 GiB"}, {"bytes", "512"}, {"short unit", "3k"}, {"comma", "1,024 KB"}},
		Refused:  []Text{{"negative", "-1KB"}, {"unknown unit", "10XB"}, {"no number", "MB"}},
	}, {
		names: []string{"expression", "expr", "formula", "eval", "evaluate", "calc", "arithmetic", "infix", "rpn"}, mentions: []string{"expression", "arithmetic"},
		Accepted: []Text{
			{"precedence", "1 + 2 * 3"},
			{"parentheses", "(1 + 2) * 3"},
			{"unary minus", "-4 - -2"},
			{"division", "10 / 4"},
			{"comparison", "a > 1 && b <= 2"},
			{"call", "max(1, x)"},
			{"text", `name == "Ann" || !ok`},
			{"power", "2 ^ 3 ^ 2"},
		},
		Refused: []Text{
			{"division by zero", "1 / 0"},
			{"missing operand", "1 +"},
			{"unclosed parenthesis", "(1 + 2"},
			{"missing operator", "1 2"},
		},
	}, {
		names: []string{"camel", "snake", "kebab", "pascal", "identifier", "ident", "strcase", "camelcase", "snakecase", "lowercamel", "delimited", "underscore", "dasherize", "humanise", "titleize"}, mentions: []string{"camelcase", "snake_case", "snakecase"},
		Accepted: []Text{
			{"camel case", "userName"},
			{"snake case", "user_name"},
			{"kebab case", "user-name"},
			{"words", "user name"},
			{"initialism in front", "HTTPServer"},
			{"initialism at the end", "userID"},
			{"digits", "version2Beta10"},
			{"upper case", "MAX_SIZE"},
			{"signs around", "_private__name_"},
			{"accents", "crèmeBrûlée"},
		},
	}, {
		names: []string{"slug", "slugify", "permalink", "accents", "diacritics", "transliterate", "unidecode", "ascii"}, mentions: []string{"slug", "accents", "diacritics", "transliterates", "transliteration"},
		Accepted: []Text{{"title", "Hello, World!"}, {"accents", "Crème Brûlée"}, {"spaces and hyphens", "  a -- b  "}, {"digits and signs", "100% of C++ & Go"}, {"other script", "Привет мир"}, {"slug", "hello-world"}},
	}, {
		names: []string{"wrap", "wordwrap", "indent", "dedent", "unindent", "truncate", "justify", "center", "pad", "padding", "ellipsis", "reflow", "fold"},
		Accepted: []Text{
			{"sentence", "The quick brown fox jumps over the lazy dog."},
			{"lines", "one two\nthree four five\n\nsix\n"},
			{"indented lines", "  one\n    two\n  three\n"},
			{"long word", "antidisestablishmentarianism is long"},
			{"tabs", "\tone\ttwo"},
			{"spaces around", "  hello  world  "},
			{"wide characters", "日本語 テキスト"},
			{"terminal color", "\x1b[31mred\x1b[0m and plain"},
		},
	}, {
		names: []string{"width", "runewidth", "grapheme", "rune", "unicode", "uniseg", "ansi", "strip", "utf8"}, mentions: []string{"grapheme", "ansi", "utf"},
		Accepted: []Text{
			{"ASCII", "hello"},
			{"accents", "crème brûlée"},
			{"wide characters", "日本語"},
			{"combining accent", "e\u0301a"},
			{"emoji of several", "👩‍👩‍👧 ok"},
			{"flag", "🇩🇪!"},
			{"terminal color", "\x1b[31mred\x1b[0m"},
			{"invalid UTF-8", "a\xffb"},
		},
	}, {
		names: []string{"path", "filepath", "file", "filename", "dir", "directory"}, mentions: []string{"filename", "filenames", "basename"},
		Accepted: []Text{
			{"file in directory", "docs/readme.md"},
			{"absolute", "/srv/data/report.txt"},
			{"two extensions", "a.tar.gz"},
			{"parent in the middle", "a/../b/./c"},
			{"trailing slash", "a/b/"},
			{"double slash", "a//b"},
			{"parent in front", "../a"},
			{"home", "~/a.txt"},
			{"Windows", `C:\dir\file.txt`},
			{"hidden file", ".gitignore"},
			{"no extension", "Makefile"},
		},
	}, {
		names: []string{"jsonpath"}, mentions: []string{"jsonpath"},
		Accepted: []Text{
			{"root", "$"},
			{"member", "$.store"},
			{"member of member", "$.store.name"},
			{"quoted member", `$["store"]["name"]`},
			{"index", "$.items[0]"},
			{"last", "$.items[-1]"},
			{"slice", "$.items[1:3]"},
			{"all elements", "$.items[*].name"},
			{"all members", "$.*"},
			{"descendants", "$..name"},
			{"union", `$["a","b"]`},
			{"filter", "$.items[?(@.price < 10)]"},
		},
		Refused: []Text{{"bracket not closed", "$.items[0"}, {"empty brackets", "$.items[]"}, {"dot at the end", "$.store."}},
	}, {
		names: []string{"useragent", "ua"}, mentions: []string{"useragent"},
		Accepted: []Text{
			{"Chrome on Windows", "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36"},
			{"Safari on iPhone", "Mozilla/5.0 (iPhone; CPU iPhone OS 17_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.1 Mobile/15E148 Safari/604.1"},
			{"Firefox on Linux", "Mozilla/5.0 (X11; Linux x86_64; rv:121.0) Gecko/20100101 Firefox/121.0"},
			{"Edge on Windows", "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36 Edg/120.0.2210.91"},
			{"Safari on macOS", "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.1 Safari/605.1.15"},
			{"Chrome on Android", "Mozilla/5.0 (Linux; Android 13; Pixel 7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.6099.43 Mobile Safari/537.36"},
			{"iPad", "Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.6 Mobile/15E148 Safari/604.1"},
			{"Internet Explorer", "Mozilla/5.0 (Windows NT 6.1; WOW64; Trident/7.0; rv:11.0) like Gecko"},
			{"Opera", "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/119.0.0.0 Safari/537.36 OPR/105.0.0.0"},
			{"Googlebot", "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"},
			{"curl", "curl/8.4.0"},
		},
	}, {
		names: []string{"strftime", "strptime", "timefmt"}, mentions: []string{"strftime", "strptime"}, params: []string{"pattern", "format", "fmt", "layout", "f"},
		Accepted: []Text{
			{"date", "%Y-%m-%d"},
			{"time of day", "%H:%M:%S"},
			{"names of day and month", "%A, %d %B %Y"},
			{"short names", "%a %b %e"},
			{"hours of twelve", "%I:%M %p"},
			{"day of the year", "%j"},
			{"two digits of the year", "%m/%d/%y"},
			{"percent sign", "100%%"},
			{"no directive", "hello"},
		},
		Refused: []Text{{"percent sign at the end", "%Y-%"}, {"unknown directive", "%Q"}},
	}, {
		names: []string{"layout", "timelayout", "datelayout"},
		Accepted: []Text{
			{"date", "2006-01-02"},
			{"time of day", "15:04:05"},
			{"RFC 3339", "2006-01-02T15:04:05Z07:00"},
			{"month's name", "Jan 2, 2006"},
			{"hours of twelve", "3:04 PM"},
		},
	}, {
		names:    []string{"password", "passphrase", "passwd"},
		Accepted: []Text{{"common", "password"}, {"substitutions", "Tr0ub4dor&3"}, {"words", "correct horse battery staple"}, {"keyboard", "qwerty123"}, {"short", "abc"}, {"random", "k7#Qz!m2Xw"}},
	}, {
		names: []string{"plural", "pluralize", "singular", "singularize", "inflect", "inflection"}, mentions: []string{"plural", "singular"},
		Accepted: []Text{
			{"regular", "book"}, {"regular plural", "books"}, {"ending in y", "city"}, {"ending in ies", "cities"}, {"ending in x", "box"}, {"irregular", "person"}, {"irregular plural", "people"},
			{"uncountable", "sheep"}, {"ending in f", "knife"}, {"ending in us", "octopus"}, {"upper case", "Child"}, {"two words", "blue house"},
		},
	}, {
		names: []string{"emoji", "emojize"}, mentions: []string{"emoji"},
		Accepted: []Text{{"short code", "Hello :smile:"}, {"emoji", "Hello 😄"}, {"two short codes", ":heart::+1:"}},
		Refused:  []Text{{"unknown short code", "a :nope: b"}, {"one colon", "at 7:30"}},
	}, {
		names: []string{"creditcard", "luhn"}, mentions: []string{"luhn"},
		Accepted: []Text{{"valid", "4111111111111111"}, {"spaces", "4111 1111 1111 1111"}},
		Refused:  []Text{{"wrong check digit", "4111111111111112"}, {"too short", "4111"}, {"letters", "4111-abcd"}},
	}, {
		names: []string{"isbn"}, mentions: []string{"isbn"},
		Accepted: []Text{{"13 digits", "978-3-16-148410-0"}, {"10 digits", "0-306-40615-2"}, {"check digit X", "0-8044-2957-X"}},
		Refused:  []Text{{"wrong check digit", "978-3-16-148410-1"}, {"too short", "978-3"}},
	},
}

// beside are texts that people try a pattern on: first one that it fits in the common dialects, then others.
var beside = map[string][]string{
	"*.go":        {"main.go", "main.py", "src/main.go"},
	"a?c":         {"abc", "ac"},
	"[a-c]*.txt":  {"bob.txt", "dave.txt"},
	"src/**/*.go": {"src/a/b/main.go", "lib/main.go"},
	"{a,b}.txt":   {"b.txt", "c.txt"},
	"[^a]bc":      {"xbc", "abc"},
	`a\*b`:        {"a*b", "axb"},
	"abc":         {"abc", "abd", "ABC"},
	"[a-c":        {"a"},

	"a*b*c":         {"a-b-c", "a-c-b"},
	"log[0-9].txt":  {"log7.txt", "logs.txt"},
	"[!a-c]x":       {"dx", "ax"},
	"src/*/main.go": {"src/app/main.go", "src/main.go"},
	"*rc":           {"bashrc", ".bashrc"},

	`^[a-z]+\d{2,3}$`:        {"abc123", "abc1"},
	"(cat|dog)s?":            {"two dogs", "a bird"},
	"(?i)hello":              {"Hello, world", "goodbye"},
	`(?P<year>\d{4})-(\d\d)`: {"2024-05", "24-05"},
}
