import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** A mail server of the test's own that keeps what it is given. */
export interface Mailbox {
  /** `smtp://127.0.0.1:…` */
  url: string;
  /** Everything that came, oldest first. */
  mails: Email[];
  stop(): Promise<void>;
}

/** Starts a mail server on a free port. */
export async function startMailbox(): Promise<Mailbox> {
  const mails: Email[] = [];
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, taken) {
      const pieces: Buffer[] = [];
      stream.on('data', (piece: Buffer) => pieces.push(piece));
      stream.on('end', async () => {
        mails.push(await PostalMime.parse(Buffer.concat(pieces)));
        taken();
      });
    },
  });
  const { server } = smtp;
  smtp.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `smtp://127.0.0.1:${port}`, mails, stop: () => new Promise((done) => smtp.close(done)) };
}
