import { type Ack, type Failure, REQUEST_TIMEOUT_MS, type Success } from 'server/contract';

/**
 * What the server says where there is no widget for this page. The status alone would not do: firewalls answer 403, and proxies 404,
 * while all is well.
 */
const GONE = ['SITE_NOT_FOUND', 'WIDGET_DISABLED', 'ORIGIN_NOT_ALLOWED'];

/** What a call answered, in the shape of an acknowledgement; `status` 0 means that no answer came. */
export type Reply<Data> = ({ ok: true } & Data) | (Extract<Ack, { ok: false }> & { status: number });

/** Makes one JSON call, a POST where there is a body and nothing else is said. Never throws. */
export async function call<Data>(
  url: string,
  body?: object,
  token?: string,
  method = body ? 'POST' : 'GET',
): Promise<Reply<Data>> {
  let status = 0;
  let answer: Success<Data> | Failure | undefined;
  try {
    const response = await fetch(url, {
      method,
      // Without a type of its own a body is plain text, for which the browser need not ask the server first (a preflight).
      ...(token && { headers: { Authorization: `Bearer ${token}` } }),
      ...(body && { body: JSON.stringify(body) }),
      credentials: 'omit',
      cache: 'no-store',
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    status = response.status;
    answer = await response.json();
  } catch {
    // A refused connection, a time-out or a proxy's page of HTML: the status says which.
  }
  if (answer?.success) return { ok: true, ...answer.data };
  return {
    ok: false,
    status,
    code: answer?.code ?? 'OFFLINE',
    message: answer?.message ?? '',
    retryable: status < 400 || status === 401 || status === 429 || status >= 500,
    retryAfterMs: (answer?.retryAfter ?? 0) * 1_000,
  };
}

/** Whether an answer means that the widget does not exist or is switched off. */
export function isGone({ code }: { code: string }): boolean {
  return GONE.includes(code);
}
