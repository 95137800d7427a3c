import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** A mail server that keeps all mails. */
export interface Mailbox {
  /** `smtp://127.0.0.1:…` */
  url: string;
  /** All mails, oldest first. */
  mails: Email[];
  stop(): Promise<void>;
}

/** Starts a mail server on a free port. */
export async function startMailbox(): Promise<Mailbox> {
  const mails: Email[] = [];
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    async onData(stream, _session, taken) {
      mails.push(await PostalMime.parse(Buffer.concat(await stream.toArray())));
      taken();
    },
  });
  smtp.listen(0, '127.0.0.1');
  await once(smtp.server, 'listening');
  const { port } = smtp.server.address() as AddressInfo;
  return { url: `smtp://127.0.0.1:${port}`, mails, stop: () => new Promise((done) => smtp.close(done)) };
}
