import type { WidgetConfig } from 'server/contract';
import { createStorage } from '../chat/storage.ts';
import { call } from '../http.ts';

const EXPIRED = {
  title: 'This link has expired',
  text: 'Please go back to the website where you started the chat, and open the chat there.',
};
const UNREACHABLE = {
  title: 'The chat cannot be reached',
  text: 'Please check your connection and reload this page. Your link still works.',
};

/** `/c/{siteId}#{token}` */
const site = location.pathname.split('/').at(2) ?? '';
const token = location.hash.slice(1);
const api = `/api/widget/${encodeURIComponent(site)}`;
const storage = createStorage(site);

function say({ title, text }: typeof EXPIRED): void {
  for (const [id, words] of [
    ['title', title],
    ['text', text],
  ] as const) {
    const element = document.getElementById(id);
    if (element) element.textContent = words;
  }
}

const isRefused = (status: number) => status >= 400 && status < 500 && status !== 429;

/** Exchanges the link's secret for a visitor token. Without a secret, the token of this device's last visit is used. */
async function enter(): Promise<typeof EXPIRED | null> {
  const known = storage.read('token') ? null : EXPIRED;
  if (!token) return known;
  const reply = await call<{ visitorToken: string }>(`${api}/resume`, { token });
  if (!reply.ok) return isRefused(reply.status) ? known : UNREACHABLE;
  storage.write('token', reply.visitorToken);
  storage.write('on', '1');
  // Not earlier: after a failure, a reload still needs the secret.
  history.replaceState(null, '', location.pathname);
  return null;
}

async function start(): Promise<void> {
  const fault = await enter();
  if (fault) return say(fault);
  const config = await call<WidgetConfig>(api);
  if (!config.ok) return say(config.status ? EXPIRED : UNREACHABLE);
  document.title = config.name;
  document.body.className = config.customization.position;
  say({ title: config.name, text: 'Your chat is open on this page. You can come back to it from this device.' });
  window.Parley = [['open']];
  const script = document.createElement('script');
  script.src = '/widget.js';
  script.dataset.siteId = site;
  document.head.append(script);
}

// A second link in the same tab changes only the fragment, which loads nothing.
addEventListener('hashchange', () => location.reload());
void start();
