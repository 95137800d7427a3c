import { paths } from './paths.ts';

/** What a notification says, and the chat that a click on it opens; null: it is a test. */
export interface DesktopNotification {
  title: string;
  body: string;
  chatId: string | null;
}

/** What the service worker tells the page that it has woken. */
interface OpenMessage {
  open: string;
}

/** Another one than a pushed test has, so that each is seen. */
const TEST_TAG = 'desktop-test';

/** Whether the browser lets this page notify: `default`, it may be asked. */
export function notificationPermission(): NotificationPermission | 'unsupported' {
  return 'Notification' in window ? Notification.permission : 'unsupported';
}

/** Asks for the permission; browsers heed it on a click only. */
export async function askNotificationPermission(): Promise<NotificationPermission | 'unsupported'> {
  return 'Notification' in window ? Notification.requestPermission() : 'unsupported';
}

/** Shows a notification in place of an earlier one of the same chat, a pushed one included. */
export async function showNotification(
  { title, body, chatId }: DesktopNotification,
  open: (path: string) => void,
): Promise<void> {
  if (notificationPermission() !== 'granted') return;
  const options = {
    body,
    tag: chatId ?? TEST_TAG,
    icon: '/icons/icon-192.png',
    badge: '/icons/badge.png',
    data: { chatId },
  };
  // Refused where the browser keeps nothing.
  const worker = await navigator.serviceWorker?.getRegistration().catch(() => undefined);
  // On phones only the service worker may; it also outlives the page.
  if (worker?.active) return worker.showNotification(title, options);
  const shown = new Notification(title, options);
  shown.onclick = () => {
    window.focus();
    shown.close();
    if (chatId !== null) open(paths.chat(chatId));
  };
}

/** Hears of clicks on notifications that the service worker has shown. */
export function onNotificationClick(open: (path: string) => void): () => void {
  const hear = ({ data }: MessageEvent<unknown>) => isOpenMessage(data) && open(data.open);
  navigator.serviceWorker?.addEventListener('message', hear);
  return () => navigator.serviceWorker?.removeEventListener('message', hear);
}

function isOpenMessage(data: unknown): data is OpenMessage {
  return typeof data === 'object' && data !== null && 'open' in data && typeof data.open === 'string';
}
