import type { Api, Failure } from 'server/contract';
import { vi } from 'vitest';

/** A call as it left the page. */
export interface Asked {
  /** As the contract writes it: `'GET /sites/:id'`. */
  name: keyof Api;
  params: Record<string, string>;
  query: Record<string, string>;
  body: unknown;
  bearer: string | null;
}

/** An answer that is no success. */
export class Refusal {
  readonly status: number;
  readonly body: Failure;

  constructor(status: number, body: Omit<Failure, 'success'>) {
    this.status = status;
    this.body = { success: false, ...body };
  }
}

type Answer<K extends keyof Api> = Api[K]['data'] | Refusal | Response;
type Answerer<K extends keyof Api> = (asked: Asked) => Answer<K> | Promise<Answer<K>>;

interface Route {
  name: keyof Api;
  method: string;
  pattern: RegExp;
  answer: (asked: Asked) => unknown;
}

/** Stands in for the server at the edge of the page (`fetch`), with the contract's own names and types. */
export function fakeApi() {
  const routes: Route[] = [];
  const asked: Asked[] = [];
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input, init);
    const { pathname, searchParams } = new URL(request.url);
    const path = pathname.replace(/^\/api/, '');
    const route = routes.findLast(({ method, pattern }) => method === request.method && pattern.test(path));
    if (!route) throw new TypeError(`Nobody answers ${request.method} ${path}`);
    const text = await request.text();
    const question: Asked = {
      name: route.name,
      params: { ...route.pattern.exec(path)?.groups },
      query: Object.fromEntries(searchParams),
      body: text ? JSON.parse(text) : undefined,
      bearer: request.headers.get('authorization')?.replace('Bearer ', '') ?? null,
    };
    asked.push(question);
    const answer = await route.answer(question);
    // As a real answer, it ends when the call is given up.
    if (answer instanceof Response)
      return new Response(answer.body?.pipeThrough(new TransformStream(), { signal: request.signal }));
    if (answer instanceof Refusal) return Response.json(answer.body, { status: answer.status });
    return Response.json({ success: true, data: answer });
  });
  return {
    /** Answers a call, from now on, with data, a refusal, or what a function makes of the question. Throw to be offline. */
    on<K extends keyof Api>(name: K, answer: Answer<K> | Answerer<K>): void {
      const [method = '', path = ''] = name.split(' ');
      const pattern = new RegExp(`^${path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`);
      routes.push({ name, method, pattern, answer: typeof answer === 'function' ? answer : () => answer });
    },
    /** All that was asked, or only one call. */
    asked: (name?: keyof Api): Asked[] => asked.filter((each) => name === undefined || each.name === name),
  };
}

export type FakeApi = ReturnType<typeof fakeApi>;
