import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { endWithParent, freePort } from '../../../scripts/cluster/processes.js';
import { untilOpen } from './ports.ts';

/** The user who owns the mails: nobody. */
const OWNER = 65_534;
export const MAILBOX_PASSWORD = 'secret';
/** What `doveadm` may print: mails with large files. */
const OUTPUT_MAX_BYTES = 64 * 1024 * 1024;
const run = promisify(execFile);

/** Dovecot with IMAP, LMTP and Sieve, in a temporary folder. */
export interface Dovecot {
  imapPort: number;
  lmtpPort: number;
  /** Lets a user sort the mails by a script of Sieve; '' ends it. */
  sieve(user: string, script: string): void;
  /** Calls `doveadm`. @returns what it prints */
  doveadm(...args: string[]): Promise<string>;
  /** Makes it number the mails of a user's inbox anew, as after the loss of its files. */
  countAnew(user: string): void;
  /** Ends it at once, or starts it again on the same ports. */
  kill(): Promise<void>;
  start(): Promise<void>;
  log(): string;
  stop(): Promise<void>;
}

/**
 * Starts it.
 * @param smtpPort the mail server that its vacation answers go through
 * @param delimiter what begins the part of an address that its mailboxes do not have; empty: mails to `chat+…` are refused
 */
export async function startDovecot(users: string[], smtpPort: number, delimiter = '+'): Promise<Dovecot> {
  const folder = mkdtempSync(join(tmpdir(), 'dovecot-'));
  chmodSync(folder, 0o755);
  const [imapPort, lmtpPort] = [await freePort(), await freePort()];
  const config = join(folder, 'dovecot.conf');
  writeFileSync(config, configOf(folder, { imapPort, lmtpPort, smtpPort, delimiter }));
  for (const user of users) {
    mkdirSync(join(folder, 'home', user), { recursive: true });
    chownSync(join(folder, 'home', user), OWNER, OWNER);
  }
  const lines = users.map((user) => `${user}:{PLAIN}${MAILBOX_PASSWORD}:${OWNER}:${OWNER}::${folder}/home/${user}::\n`);
  writeFileSync(join(folder, 'users'), lines.join(''));
  let server: ChildProcess | null = null;

  async function start(): Promise<void> {
    server = spawn('dovecot', ['-F', '-c', config], { stdio: 'ignore', detached: true });
    endWithParent(server);
    await untilOpen(imapPort, 'dovecot', () => server?.exitCode ?? null);
    await untilOpen(lmtpPort, 'dovecot', () => server?.exitCode ?? null);
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (!server?.pid || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    // Its own processes have the master's group.
    process.kill(-server.pid, signal);
    await ended;
  }

  await start();
  return {
    imapPort,
    lmtpPort,
    sieve(user, script) {
      const file = join(folder, 'home', user, '.dovecot.sieve');
      rmSync(file, { force: true });
      if (script !== '') writeFileSync(file, script);
    },
    async doveadm(...args) {
      const { stdout } = await run('doveadm', ['-c', config, ...args], { maxBuffer: OUTPUT_MAX_BYTES });
      return stdout;
    },
    countAnew(user) {
      const maildir = join(folder, 'home', user, 'Maildir');
      for (const name of readdirSync(maildir)) if (name.startsWith('dovecot')) rmSync(join(maildir, name));
    },
    kill: () => end('SIGKILL'),
    start,
    log: () => readFileSync(join(folder, 'log'), 'utf8'),
    async stop() {
      await end('SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Choices {
  imapPort: number;
  lmtpPort: number;
  smtpPort: number;
  delimiter: string;
}

const configOf = (folder: string, { imapPort, lmtpPort, smtpPort, delimiter }: Choices) => `
base_dir = ${folder}/run
log_path = ${folder}/log
protocols = imap lmtp
ssl = no
disable_plaintext_auth = no
listen = 127.0.0.1
recipient_delimiter = ${delimiter}
auth_username_format = %Ln
mail_location = maildir:~/Maildir
submission_host = 127.0.0.1:${smtpPort}
postmaster_address = postmaster@visitor.test
passdb {
  driver = passwd-file
  args = ${folder}/users
}
userdb {
  driver = passwd-file
  args = ${folder}/users
}
service imap-login {
  inet_listener imap {
    port = ${imapPort}
  }
  inet_listener imaps {
    port = 0
  }
}
service lmtp {
  inet_listener lmtp {
    port = ${lmtpPort}
  }
}
protocol lmtp {
  mail_plugins = sieve
}
plugin {
  sieve = file:~/sieve;active=~/.dovecot.sieve
  sieve_extensions = +vacation-seconds
  sieve_vacation_min_period = 0
}
`;
