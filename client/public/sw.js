// The dashboard's service worker: shows what is pushed, does what its buttons say, and says it plainly when the server
// cannot be reached. It keeps no files, so that nobody is ever served an old one, but for the texts of the reader's language,
// which the dashboard puts into a cache (client/src/lib/webPush.ts).

const PICTURES = { icon: '/icons/icon-192.png', badge: '/icons/badge.png' };
/** Where the dashboard puts the texts of its language. */
const TEXTS = '/texts.json';
const RIGHT_TO_LEFT = /[\u202A-\u202E\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/;
const EXPIRED = 401;
/** Nobody waits longer in front of a lock screen. */
const ANSWER_MAX_MS = 10_000;
/** A browser lets a click open or focus a window for about a second. */
const TAKEN_WITHIN_MS = 300;

const OFFLINE = `<!doctype html>
<html lang="{language}" dir="{direction}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="15">
<title>{offline} · Parley</title>
<style>
  body { margin: 0; min-height: 100dvh; display: grid; place-content: center; padding: 24px; max-width: 28rem; margin: auto;
    background: light-dark(#f7f6f3, #121110); color: light-dark(#1d1b18, #eeece7); font: 16px/1.6 system-ui, sans-serif; }
  h1 { margin: 24px 0 8px; font-size: 28px; line-height: 34px; letter-spacing: -.02em; }
  p { margin: 0 0 24px; color: light-dark(#6a665e, #a5a097); }
  a { justify-self: start; padding: 8px 16px; border-radius: 8px; font-weight: 500; text-decoration: none;
    background: light-dark(#2f5bea, #86a5ff); color: light-dark(#fff, #0d1430); }
  :focus-visible { outline: 2px solid; outline-offset: 2px; }
</style>
<main style="display: grid">
  <svg width="40" height="40" viewBox="0 0 32 32" fill="none" aria-hidden="true">
    <path d="M4 6a3 3 0 0 1 3-3h5v19.5l-8 8Z" fill="#4a73f5"/>
    <path d="M18 5a8 8 0 1 1 0 16h-6V5Z" stroke="#4a73f5" stroke-width="4" stroke-linejoin="round"/>
  </svg>
  <h1>{title}</h1>
  <p>{text}</p>
  <a href="">{again}</a>
</main>`;

addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(start()));

addEventListener('fetch', (event) => {
  if (event.request.mode === 'navigate') event.respondWith(pageOf(event));
});

addEventListener('push', (event) => event.waitUntil(show(event.data?.json())));

addEventListener('notificationclick', (event) => {
  const { notification, action } = event;
  const button = notification.data?.actions?.find((each) => each.action === action);
  if (button?.token) {
    event.waitUntil(act(notification, button));
    return;
  }
  notification.close();
  event.waitUntil(open(button ?? notification.data));
});

/** Pages are asked for while this worker starts (navigation preload), so that it delays none of them. */
async function start() {
  await registration.navigationPreload?.enable();
  await clients.claim();
}

async function pageOf({ request, preloadResponse }) {
  try {
    return (await preloadResponse) ?? (await fetch(request));
  } catch {
    return offlinePage();
  }
}

async function offlinePage() {
  const { t, language, direction } = await texts();
  const words = {
    language,
    direction,
    offline: t('Offline'),
    title: t('You are offline'),
    text: t(
      'Parley cannot be reached from here. What you wrote is kept and goes out when the connection is back. This page tries again by itself.',
    ),
    again: t('Try again'),
  };
  const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'";
  return new Response(
    OFFLINE.replace(/\{(\w+)\}/g, (_, name) => words[name]),
    {
      status: 503,
      headers: { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policy },
    },
  );
}

/** The texts of the language that the dashboard was last shown in; English until there are any. */
async function texts() {
  const kept = await caches.match(TEXTS).catch(() => undefined);
  const { language = 'en', direction = 'ltr', catalogue = {} } = kept ? await kept.json() : {};
  const shown = (value) => {
    const own = typeof value === 'object' ? t(value.text) : `${value}`;
    return direction === 'ltr' && !RIGHT_TO_LEFT.test(own) ? own : `\u2068${own}\u2069`;
  };
  function t(text, values = {}) {
    const own = catalogue[text];
    return (typeof own === 'string' ? own : text).replace(/\{(\w+)\}/g, (placeholder, name) =>
      name in values ? shown(values[name]) : placeholder,
    );
  }
  return { t, language, direction };
}

/** An open dashboard that somebody looks at rings by itself. */
async function show({ title, body, said = {}, chatId, path, actions = [] }) {
  const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  if (chatId !== null && pages.some((page) => page.focused && isDashboard(page))) return;
  const { t, direction } = await texts();
  const say = (english, sentence) => (sentence ? t(sentence.text, sentence.values) : english);
  await registration.showNotification(say(title, said.title), {
    ...PICTURES,
    body: say(body, said.body),
    dir: direction,
    tag: chatId ?? 'test',
    data: { chatId, path, actions },
    actions: actions.map((each) => ({ action: each.action, title: say(each.title, each.said) })),
  });
}

/** Does what a button says without a window, and shows what came of it in place of the notification. */
async function act(notification, { token, path }) {
  const { title, tag, data } = notification;
  const { status, message, text = message, values } = await ask(token);
  if (status === EXPIRED) {
    // The browser may have taken too long to still allow a window.
    const isOpen = await open({ path }).then(
      () => true,
      () => false,
    );
    if (isOpen) return notification.close();
  }
  const isDone = status === 200;
  const { t, direction } = await texts();
  const answer = t(text, values);
  const body = isDone ? answer : [answer, t('Tap to open the chat.')].join(' ');
  const after = { chatId: data.chatId, ...(!isDone && { path }) };
  await registration.showNotification(title, { ...PICTURES, body, dir: direction, tag, silent: true, data: after });
}

async function ask(token) {
  try {
    const answer = await fetch('/api/notifications/actions', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token }),
      signal: AbortSignal.timeout(ANSWER_MAX_MS),
    });
    return { ...(await answer.json()), status: answer.status };
  } catch {
    return { status: 0, message: 'You are offline.' };
  }
}

async function open(data) {
  const { chatId, path = chatId ? `/dashboard/inbox?chat=${encodeURIComponent(chatId)}&do=write` : '/dashboard' } =
    data ?? {};
  const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  const page = pages.find(isDashboard);
  if (!page) return clients.openWindow(path);
  if (await isTaken(page, path)) return page.focus();
  // The page is still loading, or shows only a failure. One that this worker does not control cannot be navigated.
  const moved = await page.navigate(path).catch(() => null);
  // The click may be too long ago for the focus by then; the page is there all the same.
  return moved ? moved.focus().catch(() => moved) : clients.openWindow(path);
}

/** Asks a dashboard to show a screen: an acknowledgement says that it does. */
function isTaken(page, path) {
  const { port1, port2 } = new MessageChannel();
  return new Promise((done) => {
    port1.onmessage = () => done(true);
    setTimeout(done, TAKEN_WITHIN_MS, false);
    page.postMessage({ open: path }, [port2]);
  }).finally(() => port1.close());
}

function isDashboard({ url }) {
  return new URL(url).pathname.startsWith('/dashboard');
}
