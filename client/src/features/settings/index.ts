// What the signed-in user has chosen for the account.
export { useLiveSettings, useSettings } from './api.ts';
