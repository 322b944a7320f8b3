// Package bolt is the store for one machine: an event.Store in a single file of
// go.etcd.io/bbolt.
//
// # The file
//
// Everything of an event lies in one range of keys, as in the table in the cloud:
//
//	items  / <event token> details          the event and its organizer's hash
//	       / <event token> counter          number of RSVPs, time of the last one
//	       / <event token> rsvp <hash>      name and time, under 16 bytes of the hash;
//	                                        nothing once the RSVP was removed
//	expiry / <expires at> <event token>     nothing: the order in which events expire
//	state  / sweeps                         the times of the last sweeps
//
// Every value ends with a checksum of itself and its key.
//
// A later version opens the file of an earlier one: testdata has one of each format.
// New fields go to the end of the details, see encoding.go. A new kind of item, or
// another length of a counter, makes earlier versions refuse the file; README names
// them.
//
// # Commits
//
// A write is on disk before it is acknowledged. Writes that arrive while a commit
// is on its way to the disk share the next one. See commit.go.
//
// # A damaged file
//
// bbolt does not verify its file: of random damages some make it hang, allocate the
// memory of a damaged length, or panic in goroutines that cannot be recovered; most
// are served, with wrong or missing data. So Open checks the file before bbolt
// reads it (check.go): it walks over the pages itself, each visited at most once and
// every length compared with the file, then the checksums, the counters and the
// expiry of all events. What passes is whole; anything else is refused. Both meta
// pages must be valid. bbolt would continue with the older one, that is without the
// last commit; but the sector of a meta page is written as a whole or not at all,
// so that no crash leaves an invalid one.
//
// What was weighed against this:
//
//   - bbolt's own check, recovering from its panics: it starts goroutines of its own.
//   - The same in a process of its own, killed when it takes too long or too much:
//     bounds hangs and panics, but finds no changed names, and a program that starts
//     itself again is hard to embed and to test.
//   - Another engine: SQLite's checksums are an extension that modernc.org/sqlite
//     lacks, and its integrity check does not verify the content; Pebble and Badger have
//     checksums, but are many files and ten times the code, for 200 lines of walk.
//
// # Clocks
//
// A clock that is wrong for some hours must not lose data.
// A sweep deletes only what the last 48 sweeps, hourly while the server runs, have
// all found expired (sweep.go). RSVPs are listed in the order of their arrival,
// also after the clock has been set back: the stored time of an RSVP is never
// before that of the one before it.
package bolt
