export { createMail, type Mail } from './mail.ts';
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
export { inLanguage, type MailDraft, type MailText, mailPlural, mailText } from './texts.ts';
export { SmtpError } from './transport.ts';
