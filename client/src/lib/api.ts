import axios, { type AxiosError } from 'axios';
import type { Api, ParamsOf, Success } from 'server/contract';
import { REQUEST_TIMEOUT_MS } from 'server/contract';
import { API_URL, type ApiError, bearerHeader, logFailure, networkError, refusedError } from './http.ts';
import { t } from './i18n.ts';
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

const client = axios.create({ baseURL: API_URL, timeout: REQUEST_TIMEOUT_MS, adapter: 'fetch' });

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
    const { data } = await client.request<Success<Api[K]['data']>>({
      ...address(name, params),
      headers: bearerHeader(bearer),
      data: body,
      params: query,
      ...(signal && { signal }),
    });
    return data.data;
  } catch (error) {
    if (axios.isCancel(error) || !axios.isAxiosError(error)) throw error;
    throw apiErrorOf(name, bearer, error);
  }
}

function address(name: string, params: object = {}): { method: string; url: string } {
  const [method = 'GET', path = '/'] = name.split(' ');
  const values = new Map<string, string>(Object.entries(params));
  return { method, url: path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(values.get(key) ?? '')) };
}

function apiErrorOf(name: Route, bearer: string | null, { response, code }: AxiosError): ApiError {
  if (response) return refusedError(name, bearer, response.status, response.data);
  const isLate = code === 'ECONNABORTED' || code === 'ETIMEDOUT';
  const error = isLate ? networkError(t('The server took too long to answer.')) : networkError();
  logFailure(name, error);
  return error;
}
