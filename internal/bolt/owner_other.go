//go:build !unix

package bolt

// giveToOwnerOf does nothing: a file inherits the permissions of its folder.
func giveToOwnerOf(string, string) error { return nil }
