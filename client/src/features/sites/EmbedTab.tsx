import type { Site } from 'server/contract';
import { EmbedCode } from './EmbedCode.tsx';
import { Installation } from './Installation.tsx';

/** How the widget gets into the site's pages, and whether it did. */
export function EmbedTab({ site, active }: { site: Site; active: boolean }) {
  return (
    <div className="flex max-w-3xl flex-col gap-4">
      <div>
        <h2 className="text-base font-semibold">Embed Code</h2>
        <p className="pt-1 text-muted">
          Paste this line into the pages of {site.domain}, just before the closing{' '}
          <code className="font-mono text-xs">&lt;/body&gt;</code> tag.
        </p>
      </div>
      <EmbedCode widgetCode={site.widgetCode} />
      <p className="text-muted">
        Preview: the chat button will be at the bottom {site.customization.position} of your pages
        {site.widgetEnabled ? '.' : ', as soon as you enable the widget on the Sites screen.'}
      </p>
      <Installation key={site.widgetCode} site={site} active={active} />
    </div>
  );
}
