export { createMail, type Mail, mailFailure } from './mail.ts';
export {
  linesOf,
  type MailContent,
  type MailLink,
  type MailLinks,
  mailboxOf,
  mailName,
  oneLine,
  type Quote,
} from './template.ts';
export { inLanguage, type MailDraft, type MailText, mailPlural, mailText, ownWords } from './texts.ts';
