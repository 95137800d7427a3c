import { ANSWER_ABOVE } from '../src/features/mailin/index.ts';
import { type MailDraft, mailText, ownWords } from '../src/platform/mail/index.ts';
import { render } from '../src/platform/mail/template.ts';
import { written } from '../src/platform/mail/texts.ts';

/** A mail of ours about an answer in a chat, as its reader gets it, and the texts that are in it. */
export function answeredMail(
  language: string,
  { answers, isMarked = true }: { answers: string[]; isMarked?: boolean },
) {
  const origin = 'https://chat.example.com';
  const path = '/c/65a1f0#secret';
  const site = 'Corner Shop';
  const draft: MailDraft = {
    kind: 'answer',
    to: 'ann@example.org',
    language,
    subject: mailText('{writer} replied to you on {site}', { writer: 'Ada', site }),
    ...(isMarked && { above: ANSWER_ABOVE }),
    text: [
      mailText('Hello {name}, you have a reply in your chat with {site}:', { name: 'Ann', site }),
      ...answers.map((text) => ({ by: 'Ada', text })),
    ],
    action: { label: mailText('Continue the chat'), path },
    footer: mailText(
      'You get this mail because someone asked for it in the chat of {site}. You will get no further mails.',
      { site },
    ),
  };
  const content = written(draft);
  return {
    ...render(content, origin),
    subject: content.subject,
    known: { sent: [...answers, ...ownWords(draft)], links: [`${origin}/c/`] },
  };
}
