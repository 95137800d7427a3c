// Webhooks: what happens on a site, sent to programs of its owner's choice.
export { useWebhooks } from './api.ts';
export { namesOf } from './kinds.ts';

/** The tab of a site's settings, a script of its own. */
export const loadWebhooks = async () => (await import('./Webhooks.tsx')).Webhooks;
