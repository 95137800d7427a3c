/** The browser's time zone, by its IANA name: days begin there. */
export const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
