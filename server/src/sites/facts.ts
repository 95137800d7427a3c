import type { SiteDoc } from './model.ts';

declare module '../bus.ts' {
  interface Facts {
    siteCreated: { site: SiteDoc };
    siteUpdated: { site: SiteDoc };
    siteDeleted: { site: SiteDoc };
  }
}
