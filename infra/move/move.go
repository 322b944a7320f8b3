// Package move opens the files of the commands export and import, with which operators of a stack
// (infra/admin) and of one machine (infra/local) move events.
package move

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"turnout/internal/portable"
)

// Export writes a store's events to a new file, or to out if file is empty, and its progress to log.
func Export(ctx context.Context, store portable.Store, file string, out, log io.Writer) error {
	if file == "" {
		return portable.Export(ctx, store, out, log)
	}
	f, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600) // it never replaces the data
	if err != nil {
		return err
	}
	err = errors.Join(portable.Export(ctx, store, f, log), f.Sync(), f.Close())
	if err != nil {
		_ = os.Remove(file)
	}
	return err
}

// Open opens the export in the only one of files, or in if there is none. A file is read once
// before: one that is incomplete is refused.
func Open(files []string, in io.Reader) (io.ReadCloser, error) {
	if len(files) == 0 {
		return io.NopCloser(in), nil
	}
	f, err := os.Open(files[0])
	if err != nil {
		return nil, err
	}
	if err = portable.Check(f); err == nil {
		_, err = f.Seek(0, io.SeekStart) // a pipe belongs to the standard input
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("nothing is imported from %s: %w", files[0], err), f.Close())
	}
	return f, nil
}
