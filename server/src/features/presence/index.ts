export { createPresence, type Presence, type Visiting } from './presence.ts';
