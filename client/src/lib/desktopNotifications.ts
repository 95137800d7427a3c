import { paths } from './paths.ts';

/** A desktop notification. A click opens its chat, or `path` where there is one; `null` is a test notification. */
export interface DesktopNotification {
  title: string;
  body: string;
  chatId: string | null;
  path?: string;
}

/** Differs from the tag of a pushed test, so that both are shown. */
const TEST_TAG = 'desktop-test';

/** Whether the browser lets this page notify: `default`, it may be asked. */
export function notificationPermission(): NotificationPermission | 'unsupported' {
  return 'Notification' in window ? Notification.permission : 'unsupported';
}

/** Asks for the permission; browsers require a user gesture for it. */
export async function askNotificationPermission(): Promise<NotificationPermission | 'unsupported'> {
  return 'Notification' in window ? Notification.requestPermission() : 'unsupported';
}

/** Shows a notification in place of an earlier one of the same chat, a pushed one included. */
export async function showNotification(
  { title, body, chatId, path }: DesktopNotification,
  open: (path: string) => void,
): Promise<void> {
  if (notificationPermission() !== 'granted') return;
  const options = {
    body,
    tag: chatId ?? TEST_TAG,
    icon: '/icons/icon-192.png',
    badge: '/icons/badge.png',
    data: { chatId, path },
  };
  // Rejects where site data is blocked.
  const worker = await navigator.serviceWorker?.getRegistration().catch(() => undefined);
  // On phones only the service worker may show notifications; it also outlives the page.
  if (worker?.active) return worker.showNotification(title, options);
  const shown = new Notification(title, options);
  shown.onclick = () => {
    window.focus();
    shown.close();
    if (chatId !== null) open(path ?? paths.chat(chatId));
  };
}

/**
 * Calls `open` for clicks on notifications shown by the service worker, and acknowledges each: without that, the service
 * worker reloads the page. @returns a disposer
 */
export function onNotificationClick(open: (path: string) => void): () => void {
  const onMessage = ({ data, ports }: MessageEvent<{ open?: unknown } | null>) => {
    if (typeof data?.open !== 'string') return;
    ports[0]?.postMessage('taken');
    open(data.open);
  };
  navigator.serviceWorker?.addEventListener('message', onMessage);
  return () => navigator.serviceWorker?.removeEventListener('message', onMessage);
}
