import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import type { Env } from '../src/platform/env/index.ts';

/** A mail server of the test's own that keeps what it is given. */
export interface Mailbox {
  /** `smtp://127.0.0.1:…` */
  url: string;
  /** What came, oldest first, except for links that prove an address, which every account gets. */
  mails: Email[];
  links: Email[];
  /** Keeps mails to such addresses waiting for their answer from now on; null: answers all. */
  hold(to: RegExp | null): void;
  /** Answers every recipient with this status from now on; null: takes all again. */
  refuse(status: number | null): void;
  stop(): Promise<void>;
}

/** Starts a mail server on a free port. */
export async function startMailbox(): Promise<Mailbox> {
  const mails: Email[] = [];
  const links: Email[] = [];
  let refusal: number | null = null;
  let held: RegExp | null = null;
  const waiting = new Set<() => void>();
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo({ address }, _session, answer) {
      if (held?.test(address)) waiting.add(answer);
      else if (refusal === null) answer();
      else answer(Object.assign(new Error(`<${address}> is not served`), { responseCode: refusal }));
    },
    onData(stream, _session, taken) {
      const pieces: Buffer[] = [];
      stream.on('data', (piece: Buffer) => pieces.push(piece));
      stream.on('end', async () => {
        const mail = await PostalMime.parse(Buffer.concat(pieces));
        (mail.text?.includes('/confirm#') ? links : mails).push(mail);
        taken();
      });
    },
  });
  const { server } = smtp;
  smtp.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    links,
    refuse: (status) => {
      refusal = status;
    },
    hold(to) {
      held = to;
      if (to) return;
      for (const answer of waiting) answer();
      waiting.clear();
    },
    stop: () => new Promise((done) => smtp.close(done)),
  };
}

/** Where a test's server says that people reach it. */
export const PUBLIC_URL = 'https://chat.example.com';

/** The settings of a server that mails into this box. */
export function mailingInto({ url }: Mailbox): Pick<Env, 'mail' | 'publicUrl'> {
  return { publicUrl: PUBLIC_URL, mail: { smtpUrl: url, from: { name: 'Parley', address: 'chat@example.com' } } };
}
