// Mails that become messages: what the team sees of them, and their words.
export { MailOrigin } from './MailOrigin.tsx';
export { doorTitle, REFUSALS } from './words.ts';
