// Rules: what the server does by itself with the chats of a site.

/** The tab of a site's settings, a script of its own. */
export const loadRules = async () => (await import('./Rules.tsx')).Rules;
