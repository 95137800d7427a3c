import { call } from './api.ts';
import { notificationPermission } from './desktopNotifications.ts';

const WORKER = '/sw.js';

/** Starts the service worker, if the browser has such a thing: pages without TLS have not. */
async function startWorker(): Promise<ServiceWorkerRegistration | null> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return null;
  await navigator.serviceWorker.register(WORKER, { updateViaCache: 'none' });
  return navigator.serviceWorker.ready;
}

/**
 * Starts the service worker and brings this browser's push subscription in line with what is wanted: told to the server,
 * under the session that is signed in now, or taken back. The dashboard works without either.
 */
export async function syncPushSubscription(wanted: boolean): Promise<void> {
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

/** The server key that a subscription was made with, in base64url as the server writes it. */
function keyOf({ options: { applicationServerKey } }: PushSubscription): string {
  const bytes = new Uint8Array(applicationServerKey ?? []);
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
