import type { Feature } from '#app/feature';

/** Sending mail. */
export const mail: Feature = {
  start: async ({ mail }) => {
    mail.start();
    return mail.stop;
  },
  inReserve: { mails: {} },
  purge: ({ mail }) => [(site) => mail.forget(site.toHexString())],
};
