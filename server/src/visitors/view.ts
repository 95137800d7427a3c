import type { SiteDoc } from '../sites/model.ts';
import { lookView } from '../sites/view.ts';
import type { Visitor, VisitorPage, WidgetConfig } from './contract.ts';
import type { VisitorDoc } from './model.ts';

/** The public face of a site; the launcher's text and the people are not the site's own. */
export function configView(
  site: SiteDoc,
  {
    buttonText,
    logo,
    online,
    usualReplyMinutes,
  }: Pick<WidgetConfig, 'buttonText' | 'logo' | 'online' | 'usualReplyMinutes'>,
): WidgetConfig {
  return {
    widgetCode: site.widgetCode,
    name: site.name,
    customization: lookView(site),
    preChat: site.settings.preChat,
    privacyUrl: site.settings.privacyUrl,
    buttonText,
    logo,
    online,
    usualReplyMinutes,
  };
}

/** The page that the visitor reported last. */
export function pageView({ page }: Pick<VisitorDoc, 'page'>): VisitorPage | null {
  return page && { url: page.url, title: page.title };
}

/** The visitor as the visitor's own browser knows itself. */
export function visitorView({ _id, name, email }: VisitorDoc): Visitor {
  return { _id: _id.toHexString(), name, email };
}
