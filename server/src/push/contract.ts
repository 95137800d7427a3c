/** Devices of one account that take push messages; the one unused for longest makes room. */
export const PUSH_DEVICES_MAX = 10;
export const PUSH_ENDPOINT_MAX_LENGTH = 1_000;

/** A browser that takes push messages: its `PushSubscription.toJSON()`, and what may stand on its lock screen. */
export interface PushDevice {
  /** An https address of the browser maker's push service. */
  endpoint: string;
  /** Base64url, as the browser gives them. */
  keys: { p256dh: string; auth: string };
  /** Whether a notification quotes the message; left out: it does not. */
  preview?: boolean;
}

/** What the service worker is handed, for it to show. */
export interface PushPayload {
  title: string;
  body: string;
  /** What it is about: a later notification about the same chat takes the place of this one. Null: a test. */
  chatId: string | null;
}

/** The calls of web push. */
export interface PushApi {
  /** The `applicationServerKey` of subscriptions. */
  'GET /push/key': { data: { key: string } };
  'POST /push/subscriptions': { body: PushDevice; data: Record<string, never> };
  'DELETE /push/subscriptions': { body: { endpoint: string }; data: Record<string, never> };
}
