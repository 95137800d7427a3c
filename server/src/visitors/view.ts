import type { SiteDoc } from '../sites/model.ts';
import { appearanceView } from '../sites/view.ts';
import type { Visitor, VisitorFacts, WidgetConfig } from './contract.ts';
import type { VisitorDoc } from './model.ts';

/** The public face of a site; the launcher's text and the people are not the site's own. */
export function configView(
  site: SiteDoc,
  {
    buttonText,
    logo,
    online,
    usualReplyMinutes,
    mail,
  }: Pick<WidgetConfig, 'buttonText' | 'logo' | 'online' | 'usualReplyMinutes' | 'mail'>,
): WidgetConfig {
  return {
    widgetCode: site.widgetCode,
    name: site.name,
    customization: appearanceView(site),
    preChat: site.settings.preChat,
    privacyUrl: site.settings.privacyUrl,
    visitorPages: site.settings.visitorPages,
    buttonText,
    logo,
    online,
    usualReplyMinutes,
    mail,
  };
}

/** What staff see of a visitor beside name and address. */
export function factsView({ page, pages = [], userId, verified = false, attributes = [] }: VisitorDoc): VisitorFacts {
  return {
    page: page && { url: page.url, title: page.title },
    pages: pages.map(({ url, title, at }) => ({ url, title, at: at.toISOString() })),
    userId: userId ?? null,
    verified,
    attributes: attributes.map(({ name, value }) => ({ name, value })),
  };
}

/** The visitor as the visitor's own browser knows itself. */
export function visitorView({ _id, name, email }: VisitorDoc): Visitor {
  return { _id: _id.toHexString(), name, email };
}
