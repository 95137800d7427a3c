export { ANSWER_ABOVE } from './cutting/marker.ts';
export { createMailIn, type MailIn } from './mailIn.ts';
export type { Correspondence } from './replyAddresses.ts';
export { mailInState } from './state/doors.ts';
