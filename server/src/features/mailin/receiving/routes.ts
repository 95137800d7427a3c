import type { Router } from 'express';
import type { SignedInGuard } from '#features/auth';
import { chatFor, type MessageDoc, MessageModel } from '#features/chats';
import { requirement } from '#features/sites';
import { endpoints, type InputSchema, notFound, text, unavailable } from '#platform/http';
import type { MailInApi, WholeMail } from '../contract.ts';
import type { MailIn } from '../mailIn.ts';
import { createBodies, createMailGuard, later } from './httpDoor.ts';
import type { ReceiverDeps } from './received.ts';
import { createReceiver } from './receiver.ts';

const ADDRESSES_MAX_LENGTH = 10_000;
const addresses = (label: string) => text({ label, max: ADDRESSES_MAX_LENGTH, optional: true, blank: true });
const mailSchema: InputSchema = { from: addresses('from'), to: addresses('to') };

interface MailRouteDeps extends Omit<ReceiverDeps, 'mailIn'> {
  mailIn: MailIn | null;
  signedIn: SignedInGuard;
}

/** The door for programs, and the whole text of a mail. */
export function mailRoutes({ signedIn: { orKey }, mailIn, ...deps }: MailRouteDeps): Router {
  const { router, on } = endpoints<MailInApi>();
  const receive = mailIn && createReceiver({ ...deps, mailIn });
  const withMail = createBodies();

  on(
    'POST /mail/in',
    { authenticate: createMailGuard(mailIn, deps.limits), query: mailSchema, upload: true },
    ({ req, query }) =>
      withMail(req, query, async ({ raw, envelope }) => {
        if (!receive) throw unavailable();
        const outcome = await receive(raw, envelope);
        if (outcome.end === 'later') throw later();
        return { data: { outcome } };
      }),
  );

  on(
    'GET /chats/:id/messages/:messageId/mail',
    { authenticate: orKey.read, authorize: requirement(chatFor)('chats.read') },
    async ({ access, params }) => {
      const message = await MessageModel.findById(params.messageId).lean<MessageDoc>();
      if (!message?.mail || !message.chat.equals(access.chat._id)) throw notFound('message');
      return { data: { mail: wholeMail(message, message.mail) } };
    },
  );

  return router;
}

const wholeMail = ({ content }: MessageDoc, { from, subject, whole }: NonNullable<MessageDoc['mail']>): WholeMail => ({
  from: from ?? null,
  subject,
  text: whole ?? content,
});
