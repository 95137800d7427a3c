import type { Types } from 'mongoose';
import type { UserDoc } from '../auth/model.ts';
import type { SiteDoc } from '../sites/model.ts';
import type { InviteDoc } from './model.ts';

/** Somebody was invited, or once more with a new link, and is to be mailed it. */
export interface Invited {
  invite: InviteDoc;
  site: SiteDoc;
  inviter: UserDoc;
}

declare module '../bus.ts' {
  interface Facts {
    /** Somebody joined or got another role; `site` is as it is now. */
    memberChanged: { site: SiteDoc; userId: string; by: Types.ObjectId };
    memberRemoved: { site: SiteDoc; userId: string; by: Types.ObjectId };
    /** `site` is as it is now. */
    siteHandedOver: { site: SiteDoc; by: Types.ObjectId };
    invited: Invited;
    invitesChanged: { siteId: string; what: 'sent' | 'revoked' | 'accepted'; by: Types.ObjectId };
  }
}
