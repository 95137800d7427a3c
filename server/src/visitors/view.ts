import type { Presence } from '../presence/presence.ts';
import type { SiteDoc } from '../sites/model.ts';
import { siteIsOnline } from '../sites/online.ts';
import { lookView } from '../sites/view.ts';
import { BUTTON_TEXT_DEFAULT, type Visitor, type WidgetConfig } from './contract.ts';
import type { VisitorDoc } from './model.ts';

/** The public face of a site. */
export function configView(site: SiteDoc, presence: Presence): WidgetConfig {
  return {
    widgetCode: site.widgetCode,
    name: site.name,
    customization: lookView(site),
    buttonText: BUTTON_TEXT_DEFAULT,
    online: siteIsOnline(site, presence),
  };
}

/** The visitor as the visitor's own browser knows itself. */
export function visitorView({ _id, name, email }: VisitorDoc): Visitor {
  return { _id: _id.toHexString(), name, email };
}
