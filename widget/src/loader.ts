import { boot } from './boot.ts';
import type { ChatModule } from './frame.ts';

/** The hashed file name of the chat and the version of the widget, put in by the build. */
declare const CHAT_FILE: string;
declare const VERSION: string;

// The first tag wins. The current script would not do: optimisers run code late, when there is none any more.
const tag = document.querySelector<HTMLScriptElement>('script[data-site-id]');

if (tag) {
  const { siteId: code = '', ...options } = tag.dataset;
  const { origin } = new URL(tag.src);
  boot(
    { origin, code, api: `${origin}/api/widget/${encodeURIComponent(code)}` },
    (attempt) => import(`${origin}/widget/${CHAT_FILE}${attempt ? `?${attempt}` : ''}`) as Promise<ChatModule>,
    options,
    VERSION,
  );
} else console.warn('Parley: the script tag needs a data-site-id.');
