// Loaded before a server whose memory is measured: a signal has it collect its garbage.
process.on('SIGUSR2', () => globalThis.gc());
