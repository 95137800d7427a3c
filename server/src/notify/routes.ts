import type { Router } from 'express';
import type { SignedInGuard } from '../auth/access.ts';
import { endpoints } from '../http/endpoint.ts';
import { conflict, invalid } from '../http/errors.ts';
import type { Limits } from '../http/limits.ts';
import type { Letter } from '../mail/letter.ts';
import type { Mail } from '../mail/mail.ts';
import { SmtpError } from '../mail/transport.ts';
import { anyPage, visitorGuard, visitorSite, widgetSite } from '../visitors/access.ts';
import { ownChat } from '../visitors/actions.ts';
import type { ResumeLinks } from '../visitors/resume.ts';
import type { NotifyApi } from './contract.ts';
import { resumeRules, transcriptRules } from './rules.ts';
import { transcriptLetter } from './transcript.ts';

/** What the calls about mail work with. */
interface NotifyRouteDeps {
  signedIn: SignedInGuard;
  limits: Limits;
  mail: Mail;
  links: ResumeLinks;
}

/** The calls about mail. */
export function notifyRoutes({ signedIn: who, limits, mail, links }: NotifyRouteDeps): Router {
  const { router, on } = endpoints<NotifyApi>();

  on('POST /self-check/mail', { who }, async ({ caller: { user } }) => {
    await limits.take('selfCheckPerAccount', user._id.toHexString());
    mustHaveMail(mail);
    await mail.sendNow(testLetter(user.email)).catch((error) => {
      throw error instanceof SmtpError ? refused(error) : error;
    });
    return { data: { to: user.email } };
  });

  on(
    'POST /widget/:widgetCode/transcript',
    {
      who: visitorGuard,
      may: ({ visitor, origin }, { widgetCode }) => visitorSite(visitor, widgetCode, origin),
      body: transcriptRules,
    },
    async ({ access, body, req }) => {
      const { visitor, site } = access;
      const chat = await ownChat(access, body.chatId);
      const to = body.email ?? visitor.email;
      if (!to) throw invalid([{ msg: 'Please enter a valid email address', path: 'email' }]);
      mustHaveMail(mail);
      await limits.take('transcriptsPerVisitor', visitor._id.toHexString());
      await limits.take('transcriptsPerIp', req.ip ?? '');
      await mail.send(await transcriptLetter(chat, site, to));
      return { message: 'The copy is on its way', data: {} };
    },
  );

  on(
    'POST /widget/:widgetCode/resume',
    { who: anyPage, may: ({ origin }, { widgetCode }) => widgetSite(widgetCode, origin), body: resumeRules },
    async ({ access, body, req }) => {
      await limits.take('visitorPerIp', req.ip ?? '');
      return { data: { visitorToken: await links.redeem(body.token, access) } };
    },
  );

  return router;
}

/** @throws AppError 409 `MAIL_OFF` */
function mustHaveMail({ enabled }: Mail): void {
  if (!enabled) throw conflict('MAIL_OFF', 'This server sends no mail: SMTP_URL is not set.');
}

function refused({ code, status }: SmtpError) {
  const answer = status === undefined ? code : `${code}, ${status}`;
  return conflict('MAIL_FAILED', `The mail server did not take the mail (${answer}).`);
}

const testLetter = (to: string): Letter => ({
  kind: 'test',
  to,
  subject: 'Parley can reach you',
  text: ['This is the test mail that you asked for. Mail works.'],
  footer: 'You get this mail because you checked your notifications in Parley.',
});
