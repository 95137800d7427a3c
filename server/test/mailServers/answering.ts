import PostalMime, { type Email } from 'postal-mime';
import { freePort } from '../../../scripts/cluster/processes.js';
import type { Chat, MailInCheck, Site, StaffMessage, VisitorSession } from '../../contract.ts';
import type { MailOutcome, WholeMail } from '../../src/features/mailin/contract.ts';
import { NoticeModel } from '../../src/features/notify/model.ts';
import type { Env } from '../../src/platform/env/index.ts';
import { events } from '../../src/platform/events/index.ts';
import { type Account, createSite, say, signUp, until, visit } from '../factories.ts';
import { startServer, type TestServer } from '../harness.ts';
import { PUBLIC_URL } from '../mailbox.ts';
import { type AnswerStyle, answerBy, type ClientLanguage, type MailClient } from '../mailClients.ts';
import { type RawMail, rawMail } from '../mails.ts';
import { MAILBOX_PASSWORD } from './dovecot.ts';
import { type HostChoices, type MailHost, PARLEY, startMailHost, VISITOR } from './mailHost.ts';

/** Visitors are mailed so long after an answer. */
const ANSWER_AFTER_MS = 2 * 60_000 + 1;

/** A whole Parley that sends and gets its mails by real mail servers. */
export interface Answering {
  server: TestServer;
  host: MailHost;
  site: Site;
  owner: Account;
  /** A visitor of this address who has asked something and left. */
  asked(email?: string): Promise<Asked>;
  /** Answers in a chat, and lets the time pass after which the visitor is mailed. */
  answer(of: Asked, content: string): Promise<void>;
  /** The same. @returns the mail that the visitor finds in the mailbox */
  mailed(of: Asked, content: string): Promise<Email>;
  thread(of: Asked): Promise<StaffMessage[]>;
  chat(of: Asked): Promise<Chat>;
  wholeMail(of: Asked, message: StaffMessage): Promise<WholeMail>;
  /** Begins the self-check of mails that come in. @returns what gives its state */
  checked(): Promise<() => Promise<MailInCheck>>;
  /** What became of the mails that have come in, oldest first. */
  outcomes: MailOutcome[];
  stop(): Promise<void>;
}

export interface Asked {
  chatId: string;
  email: string;
  session: VisitorSession;
}

/** What Parley is set to, to send its mails through this host, and to take those in its mailbox. */
export const settingsFor = (host: MailHost): Pick<Env, 'publicUrl' | 'mail' | 'mailIn'> => ({
  publicUrl: PUBLIC_URL,
  mail: { smtpUrl: host.smtpUrl, from: { name: 'Parley', address: PARLEY } },
  mailIn: {
    address: { local: 'chat', domain: 'parley.test' },
    imap: {
      host: '127.0.0.1',
      port: host.dovecot.imapPort,
      secure: false,
      user: 'chat',
      password: MAILBOX_PASSWORD,
      oauth: null,
      mailbox: 'INBOX',
    },
    listener: null,
    secret: null,
  },
});

/** Starts it. @param door how its mails come in: by its mailbox, or to a port that Postfix hands them over at */
export async function startAnswering(
  door: 'imap' | 'lmtp' | 'smtp',
  { plus, ...env }: Pick<HostChoices, 'plus'> & Partial<Env> = {},
): Promise<Answering> {
  const port = await freePort();
  const host = await startMailHost({
    ...(door !== 'imap' && { parley: { protocol: door, port } }),
    ...(plus && { plus }),
  });
  const settings = settingsFor(host);
  const listening = {
    ...settings.mailIn,
    imap: null,
    listener: { protocol: door, host: '127.0.0.1', port, tls: null },
  };
  const server = await startServer({
    ...settings,
    ...(door !== 'imap' && { mailIn: listening as Env['mailIn'] }),
    ...env,
  });
  const outcomes: MailOutcome[] = [];
  const forget = events.on('mailReceived', ({ outcome }) => void outcomes.push(outcome));
  const owner = await signUp(server.api, 'Olga');
  const site = await createSite(server.api, owner.token);
  const as = (call: string, body?: object) => server.api(call, { token: owner.token, body });

  async function answer({ chatId }: Asked, content: string): Promise<void> {
    const { body } = await as(`POST /chats/${chatId}/messages`, { content });
    await until(() => NoticeModel.exists({ _id: `${chatId}:answer`, wantedSeq: body.data.message.seq }));
    server.advance(ANSWER_AFTER_MS);
  }

  return {
    server,
    host,
    site,
    owner,
    async asked(email = VISITOR) {
      const session = await visit(server.api, site, { visitor: { name: 'Mina', email } });
      return { email, session, chatId: await say(server.api, site, session, 'Is it back?') };
    },
    answer,
    async mailed(of, content) {
      await answer(of, content);
      return until(async () => (await mailsTo(host, of.email)).find(({ text = '' }) => text.includes(content)));
    },
    thread: async ({ chatId }) => (await as(`GET /chats/${chatId}/messages`)).body.data.messages,
    chat: async ({ chatId }) => (await as(`GET /chats/${chatId}`)).body.data.chat,
    wholeMail: async ({ chatId }, { _id }) => (await as(`GET /chats/${chatId}/messages/${_id}/mail`)).body.data.mail,
    async checked() {
      const { _id } = (await as('POST /self-check/mail-in')).body.data.check;
      return async () => (await as(`GET /self-check/mail-in/${_id}`)).body.data.check;
    },
    outcomes,
    async stop() {
      forget();
      await server.stop();
      await host.stop();
    },
  };
}

/** The mails in a mailbox that are addressed so, perhaps with a part after `+`; oldest first. */
export async function mailsTo(host: MailHost, email: string): Promise<Email[]> {
  const [user = ''] = email.split(/[+@]/);
  const mails = await Promise.all((await host.mails(user)).map((raw) => PostalMime.parse(raw)));
  return mails.filter(({ to }) => to?.some(({ address }) => address === email));
}

/** Where answers to a mail go. */
export const replyAddress = ({ replyTo }: Email): string => replyTo?.[0]?.address ?? '';

/** The mail that a mail program makes when a visitor answers one. */
export function answerOf(
  mail: Email,
  own: string,
  by: MailClient,
  language: ClientLanguage,
  style: AnswerStyle = 'top',
) {
  const { text = '', html = '', subject = '', from } = mail;
  const quoting = answerBy(by, language, {
    own,
    quoted: { text, html, subject },
    from: { name: from?.name ?? '', address: replyAddress(mail) },
    to: mail.to?.[0]?.address ?? '',
    at: new Date(mail.date ?? 0),
    style,
  });
  return answering(mail, quoting);
}

/** A mail in answer to one. @param content what is in it, and other headers than usual */
export function answering(mail: Email, content: RawMail): RawMail & { to: string } {
  const { subject = '', messageId = '', references = '' } = mail;
  return {
    from: `Mina <${mail.to?.[0]?.address}>`,
    subject: `Re: ${subject}`,
    inReplyTo: messageId,
    references: [...references.split(/\s+/), messageId],
    ...content,
    to: content.to ?? replyAddress(mail),
  };
}

/** Sends a mail of a visitor to whom it says it is for. */
export const post = (host: MailHost, mail: RawMail & { to: string }, from?: string) =>
  host.send(rawMail(mail), mail.to, from);
