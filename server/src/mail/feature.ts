import type { Feature } from '../feature.ts';

/** Sending mail. */
export const mail: Feature = {
  start: async ({ mail }) => {
    mail.start();
    return mail.stop;
  },
  inReserve: { mails: {} },
  purge: ({ mail }) => [(site) => mail.forget(site.toHexString())],
};
