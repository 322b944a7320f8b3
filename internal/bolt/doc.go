// Package bolt is the store for one machine: an event.Store in a single file of
// go.etcd.io/bbolt.
//
// # The file
//
// All items of an event are in one range of keys, as in the table in the cloud:
//
//	items  / <event token> details          the event and its organizer's hash
//	       / <event token> counter          number of RSVPs, time of the last one
//	       / <event token> rsvp <hash>      name and time, under 16 bytes of the hash;
//	                                        nothing once the RSVP was removed
//	expiry / <expires at> <event token>     nothing; the order in which events expire
//	state  / sweeps                         the times of the last sweeps
//	       / probe                          bytes, while Ready tries a full disk
//
// Every value ends with a checksum of itself and its key.
//
// A later version opens the file of an earlier one: testdata has one of the
// first format. New fields go to the end of the details, see encoding.go. A new kind of
// item, or a longer counter, makes earlier versions refuse the file; the README names
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
// are served, with wrong or missing data. So Open checks the file before bbolt reads it
// (check.go). It walks over the pages, visits each at most once, compares every length
// with the file, and verifies the checksums, the counters and the expiry of all events.
// A file that passes is whole; any other is refused. Both meta pages must be valid:
// with one of them bbolt would continue without the last commit, and no crash leaves an
// invalid one, because its sector is written as a whole or not at all.
//
// SQLite and bbolt's own check were tried instead: internal/docs/design.md, "Tried and
// dropped", has the figures.
//
// # Backups and free space
//
// Backup writes a copy beside the file while the store is in use (backup.go). Open
// replaces a file that is mostly free with a smaller one (compact.go).
//
// # Clocks
//
// A clock that is wrong for some hours must not lose data. A sweep deletes only what the
// last 48 sweeps have all found expired (sweep.go); they are an hour apart. RSVPs are
// listed in the order of their arrival, also after the clock has been set back: the
// stored time of an RSVP is never before that of the one before it.
package bolt
