import type { SiteDoc } from '../sites/model.ts';

declare module '../bus.ts' {
  interface Facts {
    /** Somebody joined or got another role; `site` is as it is now. */
    memberChanged: { site: SiteDoc; userId: string };
    memberRemoved: { site: SiteDoc; userId: string };
    invitesChanged: { siteId: string };
  }
}
