import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { deleteInBatches } from '../bulk.ts';
import type { MailSettings } from '../env.ts';
import { events } from '../events.ts';
import type { Limits } from '../http/limits.ts';
import { MailModel } from './model.ts';
import { createMailSender, type Sealer } from './sender.ts';
import type { MailContent } from './template.ts';
import { smtpTransport } from './transport.ts';

declare module '../events.ts' {
  interface Events {
    /** A mail or a bell is to leave when its time comes. */
    deliveryAwaited: null;
  }
}

/** Mail to people. */
export interface Mail {
  /** Whether the operator named a mail server; without one everything below does nothing. */
  enabled: boolean;
  /**
   * Sends a mail: resolves as soon as it is sure to be sent, even if the process dies or the mail server is down.
   * @param id mails with the same id are sent once
   */
  send(content: MailContent, id?: string): Promise<void>;
  /** Sends a mail at once, or not at all. @throws SmtpError */
  sendNow(content: MailContent): Promise<void>;
  /** Sends what is due: what could not be sent at once is looked for again and again. */
  deliverDue(): void;
  /** Whether any has not left yet. */
  isAwaited(): Promise<boolean>;
  /** Drops what has not left yet about this site or visitor. */
  forget(id: string): Promise<void>;
  /** Ends after the mails under way; the rest leaves after the next start. */
  stop(): Promise<void>;
}

/** What mail works with. */
interface MailDeps {
  settings: MailSettings | null;
  /** What links begin with. */
  publicUrl: string | null;
  sealer: Sealer;
  limits: Limits;
  log: Logger;
  /** Milliseconds */
  now: () => number;
}

/** Mail by the operator's mail server, or none. */
export function createMail({ settings, publicUrl, ...deps }: MailDeps): Mail {
  if (settings === null || publicUrl === null) return NO_MAIL;
  const transport = smtpTransport(settings, publicUrl);
  const sender = createMailSender({ transport, ...deps });
  return {
    enabled: true,
    deliverDue: sender.deliverDue,
    isAwaited: sender.isAwaited,
    stop: sender.stop,
    async send(content, id = randomUUID()) {
      await sender.keep(content, id);
      sender.deliverDue();
      await events.emit('deliveryAwaited', null);
    },
    sendNow: (content) => transport.deliver(content, randomUUID()),
    forget,
  };
}

const NO_MAIL: Mail = {
  enabled: false,
  send: async () => {},
  sendNow: async () => {},
  deliverDue: () => {},
  isAwaited: async () => false,
  forget: async () => {},
  stop: async () => {},
};

async function forget(id: string): Promise<void> {
  await deleteInBatches(MailModel, { about: id });
}
