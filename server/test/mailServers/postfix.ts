import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { endWithParent } from '../../../scripts/cluster/processes.js';
import { untilOpen } from './ports.ts';

/** Postfix in a temporary folder, which delivers nothing outside of this machine. */
export interface Postfix {
  /** How many mails wait. */
  queued(): Promise<number>;
  log(): string;
  stop(): Promise<void>;
}

/** How mails go through it. */
export interface Routes {
  /** Where it hands over the mails of each domain: `lmtp:inet:127.0.0.1:2424` or `smtp:[127.0.0.1]:2525`. */
  domains: Record<string, string>;
  /** The domain whose recipients it asks for before it takes a mail; for others, it takes all and reports back. */
  verified?: string;
  /** The domain of which all mails go to one mailbox, and that address. */
  catchAll?: [domain: string, address: string];
}

/** Starts it on a port. */
export async function startPostfix(port: number, routes: Routes): Promise<Postfix> {
  const folder = mkdtempSync(join(tmpdir(), 'postfix-'));
  chmodSync(folder, 0o755);
  const config = join(folder, 'etc');
  for (const name of ['etc', 'queue', 'data']) mkdirSync(join(folder, name));
  execFileSync('chown', ['postfix', join(folder, 'data')]);
  writeFileSync(join(config, 'main.cf'), mainOf(folder, routes));
  writeFileSync(join(config, 'master.cf'), masterOf(port));
  const server = spawn('postfix', ['-c', config, 'start-fg'], { stdio: 'ignore', detached: true });
  endWithParent(server);
  await untilOpen(port, 'postfix', () => server.exitCode);
  return {
    async queued() {
      const { stdout } = await run('postqueue', ['-c', config, '-j']);
      return stdout.split('\n').length - 1;
    },
    log: () => readFileSync(join(folder, 'log'), 'utf8'),
    async stop() {
      const ended = once(server, 'exit');
      await run('postfix', ['-c', config, 'stop']);
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const run = promisify(execFile);
const inline = (entries: [string, string][]) =>
  `inline:{ ${entries.map((pair) => `{ ${pair.join(' = ')} }`).join(' ')} }`;

const mainOf = (folder: string, { domains, verified, catchAll }: Routes) => `
compatibility_level = 3.6
queue_directory = ${folder}/queue
data_directory = ${folder}/data
maillog_file = ${folder}/log
maillog_file_prefixes = ${folder}
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = mail.parley.test
mydestination =
mynetworks = 127.0.0.0/8
relay_domains = ${Object.keys(domains).join(' ')}
default_transport = error:nothing leaves this machine
relay_transport = error:no such route
transport_maps = ${inline(Object.entries(domains))}
virtual_alias_maps = ${catchAll ? inline([[`@${catchAll[0]}`, catchAll[1]]]) : ''}
smtpd_recipient_restrictions = ${verified ? `check_recipient_access ${inline([[verified, 'reject_unverified_recipient']])}, ` : ''}permit_mynetworks, reject
unverified_recipient_reject_code = 550
address_verify_map =
address_verify_poll_delay = 1s
smtputf8_enable = no
alias_maps =
alias_database =
message_size_limit = 0
queue_run_delay = 1s
minimal_backoff_time = 1s
maximal_backoff_time = 2s
delay_warning_time = 1s
smtpd_client_connection_rate_limit = 0
smtpd_client_connection_count_limit = 0
in_flow_delay = 0
`;

const masterOf = (port: number) => `
127.0.0.1:${port} inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 1 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
showq unix n - n - - showq
error unix - - n - - error
retry unix - - n - - error
lmtp unix - - n - - lmtp
smtp unix - - n - - smtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
`;
