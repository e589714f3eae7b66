package giver

// databaseCode is the helper that makes a database, and a driver for it: one type that is the connector, each connection,
// statement and transaction, and one for the rows.
const databaseCode = `func database(err error) *sql.DB { return sql.OpenDB(memory{err: err}) }

type memory struct {
	query string
	err   error
}

func (m memory) Connect(context.Context) (driver.Conn, error) { return m, nil }
func (memory) Driver() driver.Driver                          { return nil }
func (memory) Close() error                                   { return nil }
func (m memory) Begin() (driver.Tx, error)                    { return m, m.failure() }
func (memory) Commit() error                                  { return nil }
func (memory) Rollback() error                                { return nil }
func (memory) NumInput() int                                  { return -1 }

func (m memory) failure() error {
	if m.err == sql.ErrNoRows {
		return nil
	}
	return m.err
}

func (m memory) Prepare(query string) (driver.Stmt, error) {
	return memory{query: query, err: m.err}, m.failure()
}

func (m memory) Exec([]driver.Value) (driver.Result, error) { return driver.RowsAffected(1), nil }

func (m memory) Query([]driver.Value) (driver.Rows, error) {
	list := strings.Replace(m.query, " * ", " id, name ", 1)
	if i := strings.Index(list, "RETURNING "); i >= 0 {
		list = list[i:]
	}
	if i := strings.Index(list, " FROM "); i >= 0 {
		list = list[:i]
	}
	r := &memoryRows{left: 2}
	if m.err != nil {
		r.left = 0
	}
	for _, c := range strings.Split(list, ",") {
		words := strings.FieldsFunc("id "+c, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		r.columns = append(r.columns, words[len(words)-1])
	}
	return r, nil
}

type memoryRows struct {
	columns []string
	left    int
}

func (r *memoryRows) Columns() []string { return r.columns }
func (r *memoryRows) Close() error      { return nil }

func (r *memoryRows) Next(row []driver.Value) error {
	if r.left == 0 {
		return io.EOF
	}
	r.left--
	for i, c := range r.columns {
		switch {
		case strings.HasSuffix(c, "_at"):
			row[i] = time.Unix(0, 0).UTC()
		case strings.HasSuffix(c, "name"):
			row[i] = "ann"
		default:
			row[i] = int64(1)
		}
	}
	return nil
}`

// sqlFamily returns databases in memory. Code that is given one needs no server, and a query answers with the columns
// that its text names.
func sqlFamily() *family {
	const open = "db := database(nil)\n"
	return &family{
		name: "database/sql", path: "database/sql",
		imports: []string{"context", "database/sql", "database/sql/driver", "errors", "io", "strings", "time", "unicode"},
		helpers: []helper{{
			doc:  "returns a database in memory. Each query has two rows of the columns that it names, none if err is sql.ErrNoRows, or fails with err.",
			code: databaseCode,
		}},
		givers: []giver{
			{typ: "*database/sql.DB", doc: "a database in memory", since: "go1.10", code: `database(nil)`},
			{typ: "*database/sql.DB", doc: "one whose queries fail", since: "go1.10", code: `database(errors.New("no such table"))`},
			{typ: "*database/sql.DB", doc: "one without rows", since: "go1.10", code: `database(sql.ErrNoRows)`},
			{typ: "*database/sql.Tx", doc: "a transaction of such a database", since: "go1.10", fixed: true, code: open + "tx, _ := db.Begin()\nreturn tx"},
			{typ: "*database/sql.Conn", doc: "a connection to it", since: "go1.10", fixed: true, code: open + "conn, _ := db.Conn(context.Background())\nreturn conn"},
			{typ: "*database/sql.Stmt", doc: "a statement that is prepared", since: "go1.10", fixed: true, code: open + "stmt, _ := db.Prepare(\"SELECT id, name FROM users\")\nreturn stmt"},
			{typ: "*database/sql.Rows", doc: "the rows of a query", since: "go1.10", fixed: true, code: open + "rows, _ := db.Query(\"SELECT id, name FROM users\")\nreturn rows"},
			{typ: "*database/sql.Row", doc: "the row of a query", since: "go1.10", fixed: true, code: `database(nil).QueryRow("SELECT id, name FROM users")`},
			{typ: "database/sql.Result", doc: "the result of a statement that changed a row", code: `driver.RowsAffected(1)`},
		},
	}
}
