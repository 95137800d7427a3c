import type { ChatModule } from './host.ts';
import { boot } from './page-api.ts';

/** The hashed file name of the chat and the version of the widget, put in by the build. */
declare const CHAT_FILE: string;
declare const VERSION: string;

// Script optimisers run code late, when there is no current script any more. Then the first tag that loads this file is taken:
// the attribute alone is not enough, other vendors use the same one.
const current = document.currentScript as HTMLScriptElement | null;
const tag = current?.dataset.siteId
  ? current
  : document.querySelector<HTMLScriptElement>('script[data-site-id][src*="/widget.js"]');

if (tag) {
  const { siteId: code = '', ...options } = tag.dataset;
  const { origin } = new URL(tag.src);
  boot(
    { origin, code, api: `${origin}/api/widget/${encodeURIComponent(code)}` },
    (attempt) => import(`${origin}/widget/${CHAT_FILE}${attempt ? `?${attempt}` : ''}`) as Promise<ChatModule>,
    options,
    VERSION,
  );
} else console.warn('Parley: the tag has no data-site-id.');
