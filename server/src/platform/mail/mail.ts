import { randomUUID } from 'node:crypto';
import { deleteInBatches } from '#platform/database';
import type { MailSettings } from '#platform/env';
import { events } from '#platform/events';
import { conflict, sentence, tooMany } from '#platform/http';
import type { MailKind } from './kinds.ts';
import { refundMailLimits, takeMailLimits } from './limits.ts';
import { MailModel } from './model.ts';
import { createMailSender, type MailSenderDeps } from './sender.ts';
import { type MailDraft, written } from './texts.ts';
import { messageIdOf, SmtpError, smtpTransport, type Transport } from './transport.ts';

declare module '#platform/events' {
  interface Events {
    /** The mail server took a mail, or (`failure`: its error) fails for reasons that may pass. */
    mailTried: { failure: string | null };
    /** The mail server says that this address does not exist: the status (`5.1.1`, RFC 3463), and what the mail is about. */
    mailRefused: { kind: MailKind; to: string; about: string[]; status: string };
  }
}

/** Sends mail to people. */
export interface Mail {
  /** Whether the operator configured a mail server; without one, every function below does nothing. */
  enabled: boolean;
  /**
   * Queues a mail durably (outbox): when this resolves, it will be sent even if the process dies or the mail server is down.
   * @param id an idempotency key: mails with the same id are sent once
   */
  send(draft: MailDraft, id?: string): Promise<void>;
  /** Sends a mail immediately, without the queue or retries. @throws SmtpError; AppError 429 above the limits of mails */
  sendNow(draft: MailDraft): Promise<void>;
  /** The `Message-ID` that a mail with this id is sent under. */
  messageId(id: string): string;
  /** Starts sending the queued mails that are due, including retries. */
  start(): void;
  /** Deletes the queued mails about this site or visitor. */
  forget(id: string): Promise<void>;
  /** Stops after the mails in progress; the others are sent after the next start. */
  stop(): Promise<void>;
}

interface MailDeps extends Omit<MailSenderDeps, 'transport'> {
  settings: MailSettings | null;
  /** The origin of links. */
  publicUrl: string | null;
}

/** Creates the mail service, with the operator's mail server or without one. */
export function createMail({ settings, publicUrl, ...deps }: MailDeps): Mail {
  if (settings === null || publicUrl === null) return NO_MAIL;
  const transport = reporting(smtpTransport(settings, publicUrl));
  const sender = createMailSender({ transport, ...deps });
  return {
    enabled: true,
    start: sender.start,
    stop: sender.stop,
    send: (draft, id = randomUUID()) => sender.send(written(draft), id),
    async sendNow(draft) {
      const content = written(draft);
      const bound = await takeMailLimits(content, deps.limits);
      if (bound) throw tooMany(bound.waitS);
      await transport.deliver(content, randomUUID()).catch(async (error) => {
        await refundMailLimits(content, deps.limits);
        throw error;
      });
    },
    messageId: (id) => messageIdOf(id, publicUrl),
    forget,
  };
}

/** Reports how each try ends. A final refusal is about the mail or its address, so it says nothing about the mail server. */
function reporting({ deliver }: Transport): Transport {
  return {
    async deliver(content, id) {
      try {
        await deliver(content, id);
        void events.emit('mailTried', { failure: null });
      } catch (error) {
        const status = error instanceof SmtpError ? error.recipientStatus : null;
        const { kind, to, about = [] } = content;
        // Awaited, so that it is known before the mail is given up.
        if (status !== null) await events.emit('mailRefused', { kind, to, about, status });
        if (error instanceof SmtpError && !error.isFinal)
          void events.emit('mailTried', { failure: [error.code, error.status].filter(Boolean).join(' ') });
        throw error;
      }
    },
  };
}

/** What to throw to a person who waits for a mail: AppError 409 `MAIL_FAILED` with the mail server's answer, or the same error. */
export function mailFailure(error: unknown): unknown {
  if (!(error instanceof SmtpError)) return error;
  const answer = error.status === undefined ? error.code : `${error.code}, ${error.status}`;
  return conflict('MAIL_FAILED', sentence('The mail server did not accept the mail ({answer}).', { answer }));
}

const NO_MAIL: Mail = {
  enabled: false,
  send: async () => {},
  sendNow: async () => {},
  start: () => {},
  messageId: () => '',
  forget: async () => {},
  stop: async () => {},
};

async function forget(id: string): Promise<void> {
  await deleteInBatches(MailModel, { about: id });
}
