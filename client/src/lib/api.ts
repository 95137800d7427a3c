import axios, { type AxiosError } from 'axios';
import type { Api, Failure, FieldError, ParamsOf, Success } from 'server/contract';
import { REQUEST_TIMEOUT_MS } from 'server/contract';
import { token } from './token.ts';

type Route = keyof Api;
type Params<K extends Route> = [ParamsOf<K>] extends [never]
  ? { params?: undefined }
  : { params: Record<ParamsOf<K>, string> };
type Body<K extends Route> = Api[K] extends { body: infer B } ? { body: B } : { body?: undefined };
type Query<K extends Route> = Api[K] extends { query: infer Q } ? { query?: Q } : { query?: undefined };
type Input<K extends Route> = Params<K> & Body<K> & Query<K> & { signal?: AbortSignal; bearer?: string };
type AnyInput = {
  params?: object | undefined;
  body?: unknown;
  query?: unknown;
  signal?: AbortSignal;
  bearer?: string | null;
};
type Args<K extends Route> = Record<never, never> extends Input<K> ? [input?: Input<K>] : [input: Input<K>];

/** What a failed call throws: the server's own words, or why there were none. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** The HTTP status; 0 where no answer came. */
  readonly status: number;
  /** The server's stable word for it; `NETWORK` where no answer came. */
  readonly code: string;
  readonly errors: FieldError[];
  readonly requestId: string | undefined;

  constructor(status: number, failure: Omit<Failure, 'success'>) {
    super(failure.message);
    this.status = status;
    this.code = failure.code;
    this.errors = failure.errors ?? [];
    this.requestId = failure.requestId;
  }
}

const http = axios.create({
  // The fetch adapter needs a whole address outside a browser page.
  baseURL: new URL(import.meta.env.VITE_API_URL ?? '/api', location.origin).href,
  timeout: REQUEST_TIMEOUT_MS,
  adapter: 'fetch',
});

const LOG_TEXTS: Record<number, string> = {
  403: 'Access denied',
  404: 'Resource not found',
  422: 'Validation error',
  500: 'Server error',
};

/**
 * Makes one call of the REST contract.
 * @param name method and path as the contract writes them (`'GET /sites/:id'`)
 * @param input its `params`, `body` and `query` as far as it has them, a `signal` to give it up, and another `bearer` than the
 * page's own
 * @returns the answer's `data`
 * @throws ApiError for every failure but one's own abort, which rejects with axios' `CanceledError`
 */
export async function call<K extends Route>(name: K, ...[input]: Args<K>): Promise<Api[K]['data']> {
  const { params, body, query, signal, bearer = token.get() }: AnyInput = input ?? {};
  try {
    const { data } = await http.request<Success<Api[K]['data']>>({
      ...address(name, params),
      headers: bearer === null ? {} : { Authorization: `Bearer ${bearer}` },
      data: body,
      params: query,
      ...(signal && { signal }),
    });
    return data.data;
  } catch (error) {
    if (axios.isCancel(error) || !axios.isAxiosError(error)) throw error;
    throw rejected(name, bearer, error);
  }
}

function address(name: string, params: object = {}): { method: string; url: string } {
  const [method = 'GET', path = '/'] = name.split(' ');
  const values = new Map<string, string>(Object.entries(params));
  return { method, url: path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(values.get(key) ?? '')) };
}

function rejected(name: Route, bearer: string | null, error: AxiosError): ApiError {
  const failure = toApiError(error);
  if (failure.status === 401) {
    // A wrong password is no dead session, and an answer to an older token says nothing about the one held now.
    if (name !== 'POST /auth/login' && bearer === token.get() && !token.isLeaving()) token.clear();
  } else {
    logFailure(name, failure);
  }
  return failure;
}

/** Every refused call leaves a line in the console. @param call its method and path */
export function logFailure(call: string, { status, code }: Pick<ApiError, 'status' | 'code'>): void {
  console.error(LOG_TEXTS[status] ?? 'API error', { call, status, code });
}

function toApiError({ response, code }: AxiosError): ApiError {
  if (!response) {
    const late = code === 'ECONNABORTED' || code === 'ETIMEDOUT';
    const message = late ? 'The server took too long to answer.' : 'The server cannot be reached.';
    return new ApiError(0, { code: 'NETWORK', message });
  }
  if (isFailure(response.data)) return new ApiError(response.status, response.data);
  return new ApiError(response.status, { code: 'UNKNOWN', message: 'The server gave an answer that makes no sense.' });
}

function isFailure(body: unknown): body is Failure {
  return typeof body === 'object' && body !== null && 'message' in body && typeof body.message === 'string';
}
