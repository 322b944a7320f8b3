// Package benchmark is make bench: it measures the service side by side with baselines that do the
// same work and nothing else, simulates a burst of RSVPs, and compares the ratios with its aims.
// A figure of several turns is their median, with the least and the greatest in brackets. Allocations are a test like
// any other. make bench PART=phone measures the pages on a slow phone alone, PART=phone/home one of them, and with
// THAN=http://127.0.0.1:3001 beside those of a server of another commit.
//
// These aims are missed, or nearly:
//
//   - Reads on one machine take at most 1.45 times as long as a constant response of the same size with the
//     same log line. On a busy machine runs vary from 1.16 to 1.43 times. The rest is a deadline, the read, its
//     JSON, routing and the limits for stalled connections.
//   - event-page is 1.502 times as large as a bare client of the SDK, and its aim is 1.5, because of templates and the
//     texts of twelve languages. event-card is 2.2 times as large, because of fonts and shaping.
//   - The files of a guest's first visit take 26.6 kB, and their aim is 26 kB. The code is in two bundles, so that home
//     does not load the guests' page. Two bundles compress worse than one, by about 0.8 kB.
package benchmark
