// Imported before a server whose threads are measured: each of its threads that runs JavaScript writes its id and its script
// into the file that PARLEY_THREADS names (Linux).
import { appendFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

const thread = basename(readlinkSync('/proc/thread-self'));
appendFileSync(process.env.PARLEY_THREADS, `${thread} ${basename(process.argv[1])}\n`);
