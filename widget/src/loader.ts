import { boot } from './boot.ts';
import type { ChatModule } from './frame.ts';

/** The hashed file name of the chat, put in by the build. */
declare const CHAT_FILE: string;

// Script optimisers run code late, when there is no current script any more.
const tag = document.currentScript ?? document.querySelector('script[data-site-id]');
const code = tag instanceof HTMLScriptElement && tag.dataset.siteId;

if (code) {
  const { origin } = new URL(tag.src, location.href);
  boot(
    { origin, code, api: `${origin}/api/widget/${encodeURIComponent(code)}` },
    (attempt) => import(`${origin}/widget/${CHAT_FILE}${attempt ? `?${attempt}` : ''}`) as Promise<ChatModule>,
  );
} else console.warn('Parley: the script tag needs a data-site-id.');
