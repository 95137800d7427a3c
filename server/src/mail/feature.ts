import type { Feature } from '../feature.ts';

/** Sending mail. */
export const mail: Feature = {
  inReserve: { mails: {} },
  purge: ({ mail }) => [(site) => mail.forget(site.toHexString())],
};
