import { call } from './api.ts';
import { notificationPermission } from './desktopNotifications.ts';
import { onLanguage, shownTexts } from './i18n.ts';

const WORKER = '/sw.js';
/** Where the service worker looks for the texts of the language shown. */
const TEXTS = '/texts.json';
const TEXTS_CACHE = 'parley-texts';

/** Registers the service worker, where the browser supports it: not on pages without TLS. */
async function startWorker(): Promise<ServiceWorkerRegistration | null> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return null;
  await navigator.serviceWorker.register(WORKER, { updateViaCache: 'none' });
  onLanguage(keepTexts);
  await keepTexts();
  return navigator.serviceWorker.ready;
}

/** Keeps the texts of the language shown for the service worker, which shows notifications while no page is open. */
async function keepTexts(): Promise<void> {
  try {
    const kept = await caches.open(TEXTS_CACHE);
    await kept.put(TEXTS, new Response(JSON.stringify(shownTexts())));
  } catch (error) {
    // Without storage it speaks English.
    console.warn('The texts of notifications could not be kept', error);
  }
}

/**
 * Registers the service worker and brings this browser's push subscription in line with the setting: registered with
 * the server under the current session, or removed. The dashboard works without either: it never rejects.
 */
export async function syncPushSubscription(wanted: boolean): Promise<void> {
  await update(wanted).catch((error: unknown) => console.warn('The push subscription could not be updated', error));
}

async function update(wanted: boolean): Promise<void> {
  const worker = await startWorker();
  if (!worker?.pushManager) return;
  const held = await worker.pushManager.getSubscription();
  if (wanted && notificationPermission() === 'granted') return subscribe(worker.pushManager, held);
  if (!held) return;
  await held.unsubscribe();
  await call('DELETE /push/subscriptions', { body: { endpoint: held.endpoint } });
}

async function subscribe(manager: PushManager, held: PushSubscription | null): Promise<void> {
  const { key } = await call('GET /push/key');
  const fits = held && keyOf(held) === key;
  if (held && !fits) await held.unsubscribe();
  const subscription = fits ? held : await manager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint, keys: { p256dh = '', auth = '' } = {} } = subscription.toJSON();
  if (endpoint) await call('POST /push/subscriptions', { body: { endpoint, keys: { p256dh, auth } } });
}

/** The server key of a subscription, in base64url. */
function keyOf({ options: { applicationServerKey } }: PushSubscription): string {
  const bytes = new Uint8Array(applicationServerKey ?? []);
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
