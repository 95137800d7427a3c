import { pipeline } from 'node:stream/promises';
import express, { type Request, type Response, Router } from 'express';
import { accept, type Rules } from './accept.ts';
import { type Audience, catalogue } from './catalogue.ts';
import type { Call, ParamsOf, Success } from './contract.ts';
import { badRequest, invalid } from './errors.ts';

const BODY_LIMIT = '100kb';

/** What a handler gives back; `endpoints` wraps it in the envelope. */
export interface Reply<Data> {
  data: Data;
  status?: number;
  message?: string;
}

/** An answer too large to hold: `data` as the pieces of its JSON text, sent as fast as the reader takes them, as a file. */
export interface Streamed {
  stream: AsyncIterable<string>;
  fileName: string;
}

type Params<Name> = Record<Name extends string ? ParamsOf<Name> : never, string>;

/** Everything a handler may look at: accepted input, the caller, and what the guard loaded. */
interface Ask<Api, Name extends keyof Api, Caller, Access> {
  req: Request;
  res: Response;
  params: Params<Name>;
  caller: Caller;
  access: Access;
  body: Api[Name] extends { body: infer Body } ? Body : undefined;
  query: Api[Name] extends { query: infer Query } ? Query : undefined;
}

/** Finds out who calls; throws 401. It says for whom its calls are, so that documents and tests know. */
export interface Guard<Caller> {
  (req: Request): Caller | Promise<Caller>;
  audience: Audience;
}

/** Makes a guard. */
export function guard<Caller>(audience: Audience, ask: (req: Request) => Caller | Promise<Caller>): Guard<Caller> {
  return Object.assign((req: Request) => ask(req), { audience });
}

/** How a call is guarded, in the order in which it is asked. */
interface Plan<Params, Caller, Access> {
  /** Who calls; throws 401. */
  who: Guard<Caller>;
  /** Loads what the call is about with the caller's rights; throws 404 or 403. */
  may?: (caller: Caller, params: Params, req: Request) => Promise<Access>;
  /** What the body may hold; throws 422. */
  body?: Rules;
  /** What the query may hold; throws 422. */
  query?: Rules;
}

const parseJson = express.json({ limit: BODY_LIMIT });

/**
 * A router whose calls are rows of the contract: `on('POST /sites', plan, handler)`.
 * Each call asks in the same order: 401, 400, 404, 403, 422, and then the handler with its 409.
 */
export function endpoints<Api extends { [Name in keyof Api]: Call }>() {
  const router = Router();

  function on<Name extends keyof Api & string, Caller, Access = undefined>(
    name: Name,
    plan: Plan<Params<Name>, Caller, Access>,
    handler: (ask: Ask<Api, Name, Caller, Access>) => Promise<Reply<Api[Name]['data']> | Streamed>,
  ): void {
    const [method, path] = name.split(' ') as ['GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', string];
    catalogue.calls.set(name, { audience: plan.who.audience, body: plan.body, query: plan.query });
    const verb = method.toLowerCase() as Lowercase<typeof method>;
    router[verb](path, async (req, res) => {
      res.locals.route = req.baseUrl + path;
      const caller = await plan.who(req);
      const params = req.params as Params<Name>;
      checkIds(req.params);
      if (method !== 'GET') await readBody(req, res);
      const access = (await plan.may?.(caller, params, req)) as Access;
      const body = plan.body && (await accept(plan.body, req.body));
      const query = plan.query && (await accept(plan.query, req.query, 'query'));
      const ask = { req, res, params, caller, access, body, query } as Ask<Api, Name, Caller, Access>;
      const reply = await handler(ask);
      if ('stream' in reply) await sendStream(res, reply);
      else send(res, reply);
    });
  }

  return { router, on };
}

/** The shapes of ids by the name of their parameter. A widget code is no id: an odd one is merely unknown. */
const ID_SHAPES: Record<string, RegExp> = {
  id: /^[0-9a-f]{24}$/i,
  siteId: /^[0-9a-f]{24}$/i,
  inviteId: /^[\w-]{22}$/,
};

function checkIds(params: Request['params']): void {
  for (const [name, value] of Object.entries(params)) checkId(name, value);
}

function checkId(name: string, value: unknown): void {
  const shape = ID_SHAPES[name];
  if (shape && !(typeof value === 'string' && shape.test(value)))
    throw badRequest('INVALID_ID', 'This id is not valid.');
}

/**
 * The site that a call names in its body or query instead of its path.
 * @throws AppError 422 when it names none, 400 when that is no id
 */
export function siteIdOf(req: Request): string {
  const siteId: unknown = req.body?.siteId ?? req.query.siteId;
  if (siteId === undefined) throw invalid([{ msg: 'siteId is required', path: 'siteId' }]);
  checkId('siteId', siteId);
  return String(siteId);
}

function readBody(req: Request, res: Response): Promise<void> {
  return new Promise((resolve, reject) => parseJson(req, res, (error) => (error ? reject(error) : resolve())));
}

/** What fails on the way cuts the answer off: the reader sees that it is not whole. A reader who leaves is no failure. */
async function sendStream(res: Response, { stream, fileName }: Streamed): Promise<void> {
  res.attachment(fileName).type('json');
  const envelope = async function* () {
    yield '{"success":true,"data":';
    yield* stream;
    yield '}';
  };
  await pipeline(envelope, res).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  });
}

function send<Data>(res: Response, reply: Reply<Data>): void {
  const body: Success<Data> = {
    success: true,
    ...(reply.message === undefined ? {} : { message: reply.message }),
    data: reply.data,
  };
  res.status(reply.status ?? 200).json(body);
}

/** The pattern of the route that answered, without the ids and secrets of the address. */
export function routeOf(req: Request, res: Response): string {
  return res.locals.route ?? (req.route ? String(req.route.path) : '(other)');
}

/** A guard for calls that everybody may make. */
export const anyone = guard('anyone', () => null);
