import { type Ack, type Failure, REQUEST_TIMEOUT_MS, type Success } from 'server/contract';

/** Error codes that mean that this page has no widget. The status is not enough: firewalls answer 403, and proxies 404, too. */
const GONE = ['SITE_NOT_FOUND', 'WIDGET_DISABLED', 'ORIGIN_NOT_ALLOWED'];

/**
 * Statuses after which the same call may succeed: no answer, an answer of a proxy that is none, and those that say so, as 408,
 * by which an overloaded server refuses calls that it has read too late.
 */
const RETRYABLE = /^([0-35]|40[18]|42[59])/;

/** The answer of a call, in the shape of a socket acknowledgement. `status` 0 means that no answer came. */
export type Reply<Data> = ({ ok: true } & Data) | (Extract<Ack, { ok: false }> & { status: number });

/** Makes one JSON call: a POST if there is a body, unless `method` says otherwise. Never throws. */
export async function call<Data>(
  url: string,
  body?: object,
  token?: string,
  method = body ? 'POST' : 'GET',
  signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS),
): Promise<Reply<Data>> {
  let status = 0;
  let answer: Success<Data> | Failure | undefined;
  try {
    const response = await fetch(url, {
      method,
      // No content type: the body is then plain text, which needs no CORS preflight.
      ...(token && { headers: { Authorization: `Bearer ${token}` } }),
      ...(body && { body: JSON.stringify(body) }),
      credentials: 'omit',
      cache: 'no-store',
      signal,
    });
    status = response.status;
    answer = await response.json();
  } catch {
    // A refused connection, a timeout or a proxy's page of HTML; `status` tells which.
  }
  if (answer?.success) return { ok: true, ...answer.data };
  return {
    ok: false,
    status,
    code: answer?.code ?? 'OFFLINE',
    message: answer?.message ?? '',
    retryable: RETRYABLE.test(`${status}`),
    retryAfterMs: (answer?.retryAfter ?? 0) * 1_000,
  };
}

/** Whether an answer means that the widget does not exist or is switched off. */
export function isWidgetGone({ code }: { code: string }): boolean {
  return GONE.includes(code);
}
