import type { Types } from 'mongoose';
import type { SiteDoc } from './model.ts';

declare module '../bus.ts' {
  interface Facts {
    siteCreated: { site: SiteDoc };
    /** `fields` names what is other than before, dotted (`settings.hours`): nothing, where a form was saved as it was. */
    siteUpdated: { site: SiteDoc; by: Types.ObjectId; fields: string[] };
    siteDeleted: { site: SiteDoc; by: Types.ObjectId };
    /** The code before it opens nothing any more. */
    widgetCodeChanged: { site: SiteDoc; by: Types.ObjectId };
    identitySecretChanged: { site: SiteDoc; by: Types.ObjectId };
  }
}
