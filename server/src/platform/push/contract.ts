import type { Sentence } from '#platform/http/contract';

/** Push devices per account; a further one replaces the one unused for longest. */
export const PUSH_DEVICES_MAX = 10;
export const PUSH_ENDPOINT_MAX_LENGTH = 1_000;

/** A browser that receives push messages: its `PushSubscription.toJSON()`, and whether previews may be shown. */
export interface PushDevice {
  /** An https address of the browser vendor's push service. */
  endpoint: string;
  /** In base64url, as the browser gives them. */
  keys: { p256dh: string; auth: string };
  /** Whether a notification quotes the message; left out: it does not. */
  preview?: boolean;
}

/** A button of a notification. */
export interface PushAction {
  /** `claim` and `reply` are done without a window, by `POST /notifications/actions`; `open` opens one. */
  action: 'claim' | 'reply' | 'open';
  /** The button's text. */
  title: string;
  /** What the text is made of, for a device in another language. */
  said: Sentence;
  /** The page of the dashboard that `open` opens, and where the others are done by hand if they failed. */
  path: string;
  /** Lets this device do it, for a short time. */
  token?: string;
}

/** What the service worker receives and displays. */
export interface PushPayload {
  title: string;
  body: string;
  /** What title and body are made of, for a device in another language; left out: they quote what people wrote. */
  said: { title?: Sentence; body?: Sentence };
  /** The chat, or null for a test: a newer notification about the same chat replaces the older one. */
  chatId: string | null;
  /** The page of the dashboard that a click opens; left out: the chat. */
  path?: string;
  /** The buttons, the most important first; a browser shows as many as it can. */
  actions?: PushAction[];
}

/** The calls of web push. */
export interface PushApi {
  /** The `applicationServerKey` of subscriptions. */
  'GET /push/key': { data: { key: string } };
  'POST /push/subscriptions': { body: PushDevice; data: Record<string, never> };
  'DELETE /push/subscriptions': { body: { endpoint: string }; data: Record<string, never> };
}
