// npm run test:mail: the tests with real mail servers, Postfix and Dovecot, on this machine alone and in a temporary folder. Arguments
// go to Vitest. On Debian and Ubuntu: apt install postfix dovecot-imapd dovecot-lmtpd dovecot-sieve, and run it as root, because
// both servers give up rights that only root can give up.
import { chmodSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installedProgram } from './programs.js';
import { fail } from './setup.js';
import { makeTestFolder } from './test-folder.js';

/** What each package of Debian brings along, there and in other systems. */
const NEEDED = {
  postfix: ['/usr/sbin/postfix'],
  'dovecot-imapd': ['/usr/lib/dovecot/imap', '/usr/libexec/dovecot/imap'],
  'dovecot-lmtpd': ['/usr/lib/dovecot/lmtp', '/usr/libexec/dovecot/lmtp'],
  'dovecot-sieve': ['/usr/bin/sievec'],
};
const missing = Object.entries(NEEDED).flatMap(([name, paths]) => (installedProgram([], paths) ? [] : name));
if (missing.length > 0)
  fail(
    `npm run test:mail needs Postfix and Dovecot with IMAP, LMTP and Sieve. On Debian: apt install ${missing.join(' ')}`,
  );
if (process.getuid?.() !== 0) fail('npm run test:mail must run as root: Postfix and Dovecot start only as root.');

process.env.PATH += ':/usr/sbin';
// Also after Ctrl-C, when no test ends what it has started. The folder itself is removed after that.
process.on('exit', endServers);
const folder = makeTestFolder();
process.env.TMPDIR = folder;
// The servers work as other users.
chmodSync(folder, 0o755);
process.argv.splice(2, 0, '--config', 'server/test/mailServers/vitest.config.ts');
await import('./test.js');

/** Ends all mail servers of this run: each has its folder in the run's, and its processes are the group of its master. */
function endServers() {
  for (const name of readdirSync(folder)) {
    for (const file of ['queue/pid/master.pid', 'run/master.pid']) {
      try {
        process.kill(-Number(readFileSync(join(folder, name, file), 'utf8')), 'SIGKILL');
      } catch {
        // It has ended, or is another kind of folder.
      }
    }
  }
}
