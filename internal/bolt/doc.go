// Package bolt is the store for one machine: an event.Store in a single file of
// go.etcd.io/bbolt.
//
// # The file
//
// All items of an event are in one range of keys, as in the DynamoDB table:
//
//	items  / <event token> details          the event and its organizer's hash
//	       / <event token> counter          number of RSVPs, time of the last RSVP
//	       / <event token> rsvp <id>        name and time; nothing once the RSVP was cancelled
//	expiry / <expires at> <event token>     nothing; the order in which events expire
//	state  / version                        the version of these items, 1 byte
//	       / horizon                        the instant up to which sweeps have come, once there was an event
//	       / probe                          bytes, while Health tries a full disk
//
// Every value ends with a checksum of itself and its key.
//
// Open refuses the file of a later version, and reads files from version 2 on: testdata has one. A text that you
// add to the end of the details (details.added) raises the version once a record has it. A program that does not
// know the horizon leaves it as it is.
//
// # Commits
//
// A write is on disk before it is acknowledged. Writes that arrive while a commit
// is on its way to the disk share the next one. See commit.go.
//
// # A damaged file
//
// bbolt does not verify its file. Random damage can make it hang, panic, or allocate the memory
// of a damaged length; mostly, bbolt serves wrong data or misses some. So Open checks the file first
// (check.go). It refuses a file if any byte is not as bbolt wrote it. That includes a meta page torn
// by a power loss, which looks like damage.
//
// The check cannot see that a page is of another commit of the same file, if the page agrees with the
// rest. Of 140 files with an old page in place of a newer one, 2 were served. Of 1,082 copies made in
// halves while the file was in use, 9 were served. So never copy the file of a running server; use its
// backup.
//
// # Locks
//
// A process that opens the file locks it, exclusively unless the process only reads. bbolt takes the lock. Restore
// takes the same lock itself, because its file may be damaged (lock.go). A missing file cannot be locked, so Restore
// first makes an empty file, which Open refuses. Restore replaces the file, so a process that has waited for the lock
// checks that the file is still in place.
//
// # Backups
//
// Backup writes a copy beside the file while the store is in use (backup.go). Restore puts a copy in place of the file,
// and keeps the old file beside it (restore.go).
//
// # Erased events
//
// The details of an erased event stay, without a title, texts or an organizer, so that its
// token stays taken (erase.go). bbolt keeps what was deleted in free pages: Wipe overwrites them
// after an erase, at each start and in each backup.
//
// # Clocks
//
// A sweep deletes an event two days after it has expired. It does not trust the clock, which may be ahead
// for some hours: see horizonStep (sweep.go). RSVPs are listed in the order of their arrival, even after the
// clock has been set back: each RSVP gets a later time than the RSVP before it.
package bolt
