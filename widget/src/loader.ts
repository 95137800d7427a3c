import type { ChatModule } from './host.ts';
import { boot } from './page-api.ts';

/** The hashed file name of the chat and the version of the widget, put in by the build. */
declare const CHAT_FILE: string;
declare const VERSION: string;

// Tag managers drop data attributes, so the page may set the same options in a variable. An attribute overrides it.
const settings = window.ParleySettings;
// The attribute alone is not enough, other vendors use the same one.
const ours = `script${settings ? '' : '[data-site-id]'}[src*="/widget.js"]`;
// Script optimisers run code late, when there is no current script any more. Then the first tag that loads this file is taken.
const current = document.currentScript as HTMLScriptElement | null;
const tag = current?.matches(ours) ? current : document.querySelector<HTMLScriptElement>(ours);

// A tag that was removed again still runs, such as that of a component that was unmounted before it had loaded.
if (tag?.isConnected) {
  const { siteId: code, ...options } = { siteId: '', ...settings, ...tag.dataset };
  const { origin } = new URL(tag.src);
  boot(
    { origin, code, api: `${origin}/api/widget/${encodeURIComponent(code)}` },
    (attempt) => import(`${origin}/widget/${CHAT_FILE}?${attempt}`) as Promise<ChatModule>,
    options,
    VERSION,
  );
} else if (!tag) console.warn('Parley: no data-site-id.');
