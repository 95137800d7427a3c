// Imported before a server whose memory is measured: SIGUSR2 starts a garbage collection.
process.on('SIGUSR2', () => globalThis.gc());
