import type { Types } from 'mongoose';
import type { VisitorAccess } from './access.ts';

declare module '../bus.ts' {
  interface Facts {
    /** The person is forgotten and the token dead; the chats are going. `by` null: it was the visitor's own wish. */
    visitorErased: VisitorAccess & { by: Types.ObjectId | null };
    /** The visitor went to another page, or is known better. */
    visitorUpdated: VisitorAccess;
  }
}
