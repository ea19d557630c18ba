// Package storage keeps what must outlive every process of aside in one
// SQLite file that the screen, the helpers and the command line share:
// projects, threads, turns, transcripts, and the answers to proposals.
//
// A public method is one transaction: it is durable when it returns, and
// after an error nothing of it happened. Its lower-case twin does the work
// inside a transaction that another method opened. Times are given in by the
// caller, kept to the nanosecond and handed out in UTC.
//
// The file is in WAL mode, so that readers never wait for a writer, and is
// synchronised at every commit (synchronous=FULL), because each step of a
// start is durable before the next begins (contracts/proposed-threads.md,
// Starting).
package storage
