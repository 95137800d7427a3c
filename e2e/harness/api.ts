import type { Api, Failure, Success } from 'server/contract';

type Route = keyof Api;

/** What a call takes; every part of it that its row of the contract has. */
interface Input<K extends Route> {
  token?: string;
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: Api[K] extends { body: infer Body } ? Body : never;
}

/** Calls the API as a script does: for what has to be there before a journey begins, and for what must be refused. */
export type CallApi = <K extends Route>(route: K, input?: Input<K>) => Promise<Api[K]['data']>;

/** What an ordinary browser says it is: without one, a visitor counts as a machine. */
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** The API of a running Parley. A refusal is thrown as an error whose message begins with the status. */
export function apiOf(origin: string): CallApi {
  return async (route, { token, params = {}, query = {}, body } = {}) => {
    const [method = '', path = ''] = route.split(' ');
    const address = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
    const response = await fetch(`${origin}/api${address}?${new URLSearchParams(query)}`, {
      method,
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': BROWSER,
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as Success<Api[typeof route]['data']> | Failure;
    if (!answer.success) throw new Error(`${response.status} ${answer.message}`);
    return answer.data;
  };
}
