package guard

// Mode says what to do if the system cannot confine a process.
type Mode uint8

// The modes.
const (
	// Best confines a process as far as the system can, and reports how far. The caller decides what
	// may run if that is not enough.
	Best Mode = iota
	// Require refuses to run a process that is not confined.
	Require
	// Off confines nothing, but the environment is still replaced.
	Off
)

// ModeNames lists the names that ParseMode understands.
func ModeNames() []string { return []string{"best", "require", "off"} }

// ParseMode finds a mode by its name in the flag -confine.
func ParseMode(s string) (Mode, bool) {
	for i, name := range ModeNames() {
		if s == name {
			return Mode(i), true
		}
	}
	return Best, false
}

func (m Mode) String() string { return ModeNames()[m] }

// Policy says what a process may do. The zero value allows it to read the files of the system that
// programs usually read, and nothing else.
type Policy struct {
	Mode Mode
	// Read are files and directories that the process may read besides the system's.
	Read []string
	// Write has directories in which the process may do anything with files. The first one is its home and
	// contains its temporary files.
	Write []string
	// Memory is how many bytes of data the process may keep; 0 means DefaultMemory.
	Memory uint64
	// Race says that the process has the race detector in it. Its shadow memory exceeds any limit, and it
	// reads the list of the process's mappings.
	Race bool
	// NoMIME says that the process cannot read what the system knows about MIME types, as on a machine that has
	// no such files.
	NoMIME bool
	// Env are variables ("TZ=Asia/Tokyo") that replace variables of the same name that every process
	// has.
	Env []string
}

// DefaultMemory is how many bytes of data a process may keep.
const DefaultMemory = 512 << 20

func (p *Policy) memory() uint64 {
	if p.Memory == 0 {
		return DefaultMemory
	}
	return p.Memory
}
