import type { Feature } from '../feature.ts';
import { MailModel } from './model.ts';

/** Sending mail. */
export const mail: Feature = {
  models: [MailModel],
  inReserve: { mails: {} },
  purge: ({ mail }) => [(site) => mail.forget(site.toHexString())],
};
