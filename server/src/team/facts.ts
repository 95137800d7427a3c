import type { Types } from 'mongoose';
import type { SiteDoc } from '../sites/model.ts';

declare module '../bus.ts' {
  interface Facts {
    /** Somebody joined or got another role; `site` is as it is now. */
    memberChanged: { site: SiteDoc; userId: string; by: Types.ObjectId };
    memberRemoved: { site: SiteDoc; userId: string; by: Types.ObjectId };
    /** `site` is as it is now. */
    siteHandedOver: { site: SiteDoc; by: Types.ObjectId };
    invitesChanged: { siteId: string; what: 'sent' | 'revoked' | 'accepted'; by: Types.ObjectId };
  }
}
