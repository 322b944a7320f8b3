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
//	                                        nothing once the RSVP was cancelled
//	expiry / <expires at> <event token>     nothing; the order in which events expire
//	state  / version                        the version of these items, 1 byte
//	       / probe                          bytes, while Health tries a full disk
//
// Every value ends with a checksum of itself and its key.
//
// Open refuses a file of a later version, and reads those of earlier ones, of which testdata has
// some: the first ones have no version. Whoever adds a field to the end of the details, or changes
// anything else, raises the version.
//
// # Commits
//
// A write is on disk before it is acknowledged. Writes that arrive while a commit
// is on its way to the disk share the next one. See commit.go.
//
// # A damaged file
//
// bbolt does not verify its file: random damage can make it hang, panic, or allocate the memory
// of a damaged length; mostly, wrong or missing data is served. So Open checks the file first
// (check.go). It refuses a file with any other bytes than bbolt wrote, including a meta page torn
// by a power loss, which cannot be told from damage.
//
// The check cannot see that pages are of another commit of the same file if they agree with the
// rest. 2 of 140 files with an old page in its place, and 9 of 1,082 copies made in halves while
// the file was in use, were served. So never copy the file of a running server: use its backup.
//
// # Backups
//
// Backup writes a copy beside the file while the store is in use (backup.go).
//
// # Erased events
//
// The details of an erased event stay, without a title, texts or an organizer, so that its
// token stays taken (erase.go). bbolt keeps what was deleted in free pages: Wipe overwrites them
// after an erase, at each start and in each backup.
//
// # Clocks
//
// A sweep deletes an event two days after it has expired (sweep.go). RSVPs are listed in the order
// of their arrival, even after the clock has been set back: each RSVP gets a later time than the RSVP
// before it.
package bolt
