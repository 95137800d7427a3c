import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { ImapSettings } from '../src/platform/env/index.ts';

/** A mail as the stand-in keeps it. */
interface StoredMail {
  uid: number;
  raw: string;
  flags: Set<string>;
}

/** A folder of the stand-in. */
export interface StoredFolder {
  uidValidity: number;
  uidNext: number;
  mails: StoredMail[];
}

/** What happens to a command: the connection ends, nobody answers any more, or it is refused. */
type Fault = 'die' | 'silence' | 'refuse' | undefined;

/** A server of IMAP with one user, whose faults a test decides on. */
export interface ImapStandIn {
  port: number;
  folders: Map<string, StoredFolder>;
  /** All commands, without their tags, oldest first. */
  commands: string[];
  /** Is asked at each command. */
  fault: (command: string) => Fault;
  /** The access token that is taken; null: any password is. */
  token: string | null;
  /** Puts a mail into a folder, and tells those who wait for news of it. @returns its number */
  deliver(raw: string, folder?: string): number;
  /** The connections that are open. */
  connections(): number;
  stop(): Promise<void>;
}

interface Session {
  socket: Socket;
  selected: string | null;
  idleTag: string | null;
  isSilent: boolean;
}

const newFolder = (uidValidity: number): StoredFolder => ({ uidValidity, uidNext: 1, mails: [] });
const TAKEN_LITERALS = /\{(\d+)\+?\}$/;

/** The settings of a server that reads its mailbox. */
export const mailboxOf = ({ port }: ImapStandIn, user: string): ImapSettings => ({
  host: '127.0.0.1',
  port,
  secure: false,
  user,
  password: 'secret',
  oauth: null,
  mailbox: 'INBOX',
});

/** Starts one on a free port. */
export async function startImapStandIn(): Promise<ImapStandIn> {
  const sessions = new Set<Session>();
  const server = createServer((socket) => {
    const session: Session = { socket, selected: null, idleTag: null, isSilent: false };
    sessions.add(session);
    socket.on('close', () => sessions.delete(session));
    socket.on('error', () => {});
    socket.write('* OK ready\r\n');
    let rest = '';
    socket.on('data', (piece) => {
      const lines = (rest + piece.toString('latin1')).split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) answer(standIn, session, line);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const standIn: ImapStandIn = {
    port: (server.address() as AddressInfo).port,
    folders: new Map([['INBOX', newFolder(1)]]),
    commands: [],
    fault: () => undefined,
    token: null,
    deliver(raw, name = 'INBOX') {
      const folder = standIn.folders.get(name) as StoredFolder;
      const uid = folder.uidNext++;
      folder.mails.push({ uid, raw, flags: new Set() });
      for (const { socket, selected, isSilent } of sessions)
        if (selected === name && !isSilent) socket.write(`* ${folder.mails.length} EXISTS\r\n`);
      return uid;
    },
    connections: () => sessions.size,
    async stop() {
      for (const { socket } of sessions) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return standIn;
}

/** Answers one line. */
function answer(standIn: ImapStandIn, session: Session, line: string): void {
  if (session.isSilent) return;
  if (TAKEN_LITERALS.test(line)) throw new Error(`The stand-in takes no literals: ${line}`);
  const [, tag = '', command = ''] = line.match(/^(\S+)(?: (.*))?$/) ?? [];
  const send = (text: string) => session.socket.write(`${text}\r\n`, 'latin1');
  if (session.idleTag !== null) {
    send(`${session.idleTag} OK done`);
    session.idleTag = null;
    return;
  }
  standIn.commands.push(command);
  const fault = standIn.fault(command);
  if (fault === 'die') session.socket.destroy();
  if (fault === 'silence') session.isSilent = true;
  if (fault === 'refuse') send(`${tag} NO refused`);
  if (fault !== undefined) return;
  const [name = '', ...words] = command.split(' ');
  const isUid = name.toUpperCase() === 'UID';
  const verb = (isUid ? words.shift() : name)?.toUpperCase() ?? '';
  if (verb === 'IDLE') {
    session.idleTag = tag;
    send('+ idling');
    return;
  }
  const status = COMMANDS[verb]?.({ standIn, session, words, send }) ?? 'OK done';
  send(`${tag} ${verb in COMMANDS ? status : 'BAD unknown'}`);
  if (verb === 'LOGOUT') session.socket.end();
}

interface Call {
  standIn: ImapStandIn;
  session: Session;
  words: string[];
  send: (text: string) => void;
}

/** What the commands do. @returns the status, where it is not `OK` */
const COMMANDS: Record<string, (call: Call) => string | undefined> = {
  CAPABILITY({ standIn, send }) {
    send(`* CAPABILITY IMAP4rev1 IDLE UIDPLUS MOVE${standIn.token === null ? '' : ' AUTH=XOAUTH2 SASL-IR'}`);
    return undefined;
  },
  LOGIN: ({ standIn }) => (standIn.token === null ? undefined : 'NO [AUTHENTICATIONFAILED] no password'),
  AUTHENTICATE({ standIn, words }) {
    const given = Buffer.from(words[1] ?? '', 'base64').toString();
    return given.includes(`Bearer ${standIn.token}\u0001`) ? undefined : 'NO [AUTHENTICATIONFAILED] wrong token';
  },
  NOOP: () => undefined,
  LOGOUT: ({ send }) => void send('* BYE'),
  SUBSCRIBE: () => undefined,
  LSUB: () => undefined,
  LIST({ standIn, send, words }) {
    const names = words[1] === '""' ? [''] : standIn.folders.keys();
    for (const name of names) send(`* LIST () "/" "${name}"`);
    return undefined;
  },
  CREATE({ standIn, words }) {
    const name = unquoted(words[0]);
    if (standIn.folders.has(name)) return 'NO [ALREADYEXISTS] exists';
    standIn.folders.set(name, newFolder(standIn.folders.size + 1));
    return undefined;
  },
  SELECT({ standIn, session, words, send }) {
    session.selected = unquoted(words[0]);
    const folder = standIn.folders.get(session.selected);
    if (!folder) return 'NO [NONEXISTENT] no such folder';
    send('* FLAGS (\\Seen \\Flagged \\Deleted)');
    send('* OK [PERMANENTFLAGS (\\Seen \\Flagged \\Deleted \\*)] flags');
    send(`* ${folder.mails.length} EXISTS`);
    send(`* OK [UIDVALIDITY ${folder.uidValidity}] valid`);
    send(`* OK [UIDNEXT ${folder.uidNext}] next`);
    return 'OK [READ-WRITE] selected';
  },
  SEARCH(call) {
    const [key, range = ''] = call.words;
    const found = key === 'UID' ? inRange(call, range) : folderOf(call).mails;
    call.send(`* SEARCH ${found.map(({ uid }) => uid).join(' ')}`);
    return undefined;
  },
  FETCH(call) {
    const [range = '', ...rest] = call.words;
    const items = rest.join(' ');
    for (const { uid, raw } of inRange(call, range)) {
      const at = folderOf(call).mails.findIndex((mail) => mail.uid === uid) + 1;
      const [, start = 0, length = 0] = items.match(/BODY\.PEEK\[\]<(\d+)\.(\d+)>/) ?? [];
      const part = items.includes('BODY.PEEK[]')
        ? [`BODY[]<${start}>`, raw.slice(Number(start), Number(start) + Number(length))]
        : ['BODY[HEADER]', `${raw.split('\r\n\r\n')[0]}\r\n\r\n`];
      call.send(`* ${at} FETCH (UID ${uid} RFC822.SIZE ${raw.length} ${part[0]} {${part[1]?.length}}\r\n${part[1]})`);
    }
    return undefined;
  },
  STORE(call) {
    const [range = '', , flags = ''] = call.words;
    for (const mail of inRange(call, range))
      for (const flag of flags.replace(/[()]/g, '').split(' ')) mail.flags.add(flag);
    return undefined;
  },
  MOVE(call) {
    const [range = '', target] = call.words;
    const [from, to] = [folderOf(call), call.standIn.folders.get(unquoted(target))];
    if (!to) return 'NO [TRYCREATE] no such folder';
    for (const mail of inRange(call, range)) {
      call.send(`* ${from.mails.indexOf(mail) + 1} EXPUNGE`);
      from.mails.splice(from.mails.indexOf(mail), 1);
      to.mails.push({ ...mail, uid: to.uidNext++ });
    }
    return undefined;
  },
};

const unquoted = (word = '') => word.replace(/^"|"$/g, '');
const folderOf = ({ standIn, session }: Call) => standIn.folders.get(session.selected ?? '') as StoredFolder;

/** The mails with numbers such as `3,5:7,9:*`. As on every server, a range with a `*` has at least the last mail. */
function inRange(call: Call, range: string): StoredMail[] {
  const { mails } = folderOf(call);
  const last = mails.at(-1)?.uid ?? 0;
  const bounds = range.split(',').map((part) => {
    const [from = 0, to = from] = part.split(':').map((end) => (end === '*' ? last : Number(end)));
    return [Math.min(from, to), Math.max(from, to)] as const;
  });
  return mails.filter(({ uid }) => bounds.some(([from, to]) => uid >= from && uid <= to));
}
