import type { VisitorAccess } from './access.ts';

declare module '../bus.ts' {
  interface Facts {
    /** The person is forgotten and the token dead; the chats are going. */
    visitorErased: VisitorAccess;
  }
}
