import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { domainToASCII } from 'node:url';
import type { Logger } from 'pino';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { EnvError, type ListenerSettings } from '#platform/env';
import { events } from '#platform/events';
import { MINUTE_MS, SECOND_MS } from '#platform/time';
import { isCheckToken } from '../check/checks.ts';
import { MAIL_MAX_BYTES } from '../contract.ts';
import type { Receive } from '../mailIn.ts';
import { findReplyAddress, type ReplyAddresses } from '../replyAddresses.ts';
import { type PortCertificate, readCertificate } from './certificate.ts';
import { createHeldMails, Refused } from './heldMails.ts';

/** Connections at the same time: of all, and from one address (a Postfix opens 20 by itself). */
const CLIENTS_MAX = 50;
const CLIENTS_EACH_MAX = 25;
/** Sockets that still close, or are told that there are too many, are beyond that. */
const SOCKETS_MAX = 200;
const RECIPIENTS_MAX = 10;
/** In bytes: longer than any command without AUTH (RFC 5321, 4.5.3.1). */
const COMMAND_MAX = 2048;
/** A connection on which nothing comes, and one that lasts however much comes: one byte a second would keep it forever. */
const SILENT_MAX_MS = MINUTE_MS;
const LASTING_MAX_MS = 10 * MINUTE_MS;
/** The end of the server waits so long for mails on their way. */
const CLOSING_MAX_MS = 5 * SECOND_MS;
const LEFT_OUT = ['AUTH', 'VRFY', 'HELP', 'WIZ', 'SHELL', 'KILL', 'XCLIENT', 'XFORWARD'];

interface ListenerDeps {
  settings: ListenerSettings;
  addresses: ReplyAddresses;
  receive: Receive;
  now: () => number;
  log: Logger;
}

/** An open port. */
export interface Listener {
  port: number;
  /** Closes it after the mails on their way; at most some seconds. */
  stop(): Promise<void>;
}

/**
 * Opens the port on which mail servers hand over mails. Only recipients that exist are taken, so that no mail has to be sent back.
 * @throws EnvError if the port cannot be opened, or a file of TLS cannot be read
 */
export async function startListener(deps: ListenerDeps): Promise<Listener> {
  const { protocol, host, port } = deps.settings;
  const { tls } = deps.settings;
  const certificate = tls && (await readCertificate(tls, deps.log));
  const server = new SMTPServer({ ...certificate?.first, ...bounds(deps), ...handlers(deps, certificate) });
  server.server.maxConnections = SOCKETS_MAX;
  // Connections that break are the usual end of many; nothing else is to be done about one.
  server.on('error', (error) => deps.log.debug({ error: error.message }, 'mail in: connection broken'));
  const lasting = endWhatLasts(server);
  server.listen(port, host);
  await once(server.server, 'listening').catch((error) => {
    throw new EnvError(listenFault(error, deps.settings));
  });
  const opened = (server.server.address() as AddressInfo).port;
  deps.log.info({ protocol, host, port: opened }, 'mail in: listening');
  void events.emit('mailInTried', { door: protocol, failure: null });
  return {
    port: opened,
    async stop() {
      clearInterval(lasting);
      await new Promise<void>((done) => {
        server.close(done);
        // Those that hand over a mail right now are waited for.
        for (const connection of server.connections)
          if (!connection.session.envelope?.rcptTo.length) connection.send(421, 'Shutting down');
      });
    },
  };
}

function bounds({ settings: { protocol, tls }, addresses }: ListenerDeps): SMTPServerOptions {
  return {
    lmtp: protocol === 'lmtp',
    // Nothing about the machine: neither its name nor a version.
    name: addresses.plain.split('@')[1],
    heloResponse: '%s',
    size: MAIL_MAX_BYTES,
    disabledCommands: [...LEFT_OUT, ...(tls ? [] : ['STARTTLS'])],
    disableReverseLookup: true,
    maxClients: CLIENTS_MAX,
    maxRecipients: RECIPIENTS_MAX,
    maxCommandLength: COMMAND_MAX,
    socketTimeout: SILENT_MAX_MS,
    closeTimeout: CLOSING_MAX_MS,
    logger: false,
  };
}

function handlers(
  { settings: { protocol }, addresses, receive, now, log }: ListenerDeps,
  certificate: PortCertificate | null,
): SMTPServerOptions {
  const held = createHeldMails();

  async function checkRecipient(given: string): Promise<void> {
    const address = asWritten(given);
    if (address === addresses.plain) return;
    const token = addresses.tokenIn(address);
    if (token && (await isCheckToken(token))) return;
    const known = token && (await findReplyAddress([token], []));
    if (!known) throw new Refused(550, '5.1.1 No such address');
    if (known.expiresAt.getTime() <= now()) throw new Refused(550, '5.1.1 This address has expired');
  }

  /** What may pass is tried again by the sender; only then is a mail not taken. */
  function later(error: unknown): Refused {
    if (error instanceof Refused) return error;
    log.warn({ err: error }, 'mail in: not taken for now');
    return new Refused(451, '4.3.0 Try again later');
  }

  return {
    // A function of the class: `this` is the server.
    onConnect(this: SMTPServer, { remoteAddress }, answer) {
      const each = [...this.connections].filter((other) => other.remoteAddress === remoteAddress).length;
      if (each > CLIENTS_EACH_MAX) answer(new Refused(421, '4.7.0 Too many connections from your address'));
      else if (!certificate) answer(null);
      else
        certificate.renewed().then(
          (pair) => {
            if (pair) this.updateSecureContext(pair);
            answer(null);
          },
          (error) => answer(later(error)),
        );
    },
    onRcptTo({ address }, _session, answer) {
      checkRecipient(address).then(
        () => answer(),
        (error) => answer(later(error)),
      );
    },
    onData(stream, { envelope: { mailFrom, rcptTo } }, answer) {
      const to = rcptTo.map(({ address }) => asWritten(address));
      const from = mailFrom ? mailFrom.address : '';
      held
        .whole(stream, async (raw) => {
          const outcome = await receive(raw, { door: protocol, from, to });
          // The sender's server keeps it meanwhile, and nothing is lost.
          if (outcome.end === 'later') throw new Refused(452, '4.2.2 No room');
        })
        .then(
          () => {
            void events.emit('mailInTried', { door: protocol, failure: null });
            // Also where it became no message (it is a machine's, or the visitor is blocked): refused now, its server would
            // send a report about it to a sender who may be forged. It is counted instead.
            answer(null, '2.0.0 Taken');
          },
          (error) => answer(later(error)),
        );
    },
  };
}

/** The library turns domains into Unicode; ours, and those in mails, are as they are written in headers. */
function asWritten(address: string): string {
  const [local = '', domain = ''] = address.toLowerCase().split('@');
  return `${local}@${domainToASCII(domain)}`;
}

/** Ends connections that last too long, whatever comes on them. */
function endWhatLasts(server: SMTPServer): NodeJS.Timeout {
  const since = new WeakMap<object, number>();
  const look = () => {
    for (const connection of server.connections) {
      const at = since.get(connection) ?? Date.now();
      since.set(connection, at);
      if (Date.now() - at > LASTING_MAX_MS) connection.send(421, '4.4.2 This takes too long');
    }
  };
  return setInterval(look, MINUTE_MS).unref();
}

function listenFault(error: NodeJS.ErrnoException, { host, port }: ListenerSettings): string {
  if (error.code === 'EADDRINUSE')
    return `Port ${port} of MAIL_IN_URL is already in use. Stop the program that uses it, or name another port.`;
  if (error.code === 'EACCES')
    return `This user may not open port ${port} of MAIL_IN_URL. Name one above 1023, and let the mail server use it.`;
  return `Parley cannot listen on ${host}:${port}, as MAIL_IN_URL says: ${error.message}`;
}
