import { pipeline } from 'node:stream/promises';
import express, { type Request, type RequestHandler, type Response, Router } from 'express';
import { JSON_TYPE, sendJson } from './answer.ts';
import { type Audience, catalogue } from './catalogue.ts';
import type { Call, ParamsOf, Success } from './contract.ts';
import { badRequest, invalid } from './errors.ts';
import { type InputSchema, validate } from './validate.ts';

const BODY_LIMIT = '100kb';
/** What the widget calls its JSON: of a type that needs a header of its own, browsers ask first whether it may be sent (a preflight). */
const PLAIN_TYPE = 'text/plain';
/** How long the reader of a file may take nothing before it is cut off. */
const STALL_MAX_MS = 60_000;

/** What a handler gives back; `endpoints` wraps it in the envelope. */
export interface Reply<Data> {
  data: Data;
  status?: number;
  message?: string;
}

/**
 * A file, without the envelope, as pieces that are sent as fast as the reader takes them: it may be too large to hold. Its
 * type follows from the name's ending.
 */
export interface Download {
  file: AsyncIterable<string | Uint8Array>;
  fileName: string;
  /** Instead of those that follow from the name; one with an `ETag` is sent only to whoever does not hold it. */
  headers?: Record<string, string>;
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
  authenticate: Guard<Caller>;
  /** Loads what the call is about with the caller's rights; throws 404 or 403. */
  authorize?: (caller: Caller, params: Params, req: Request) => Promise<Access>;
  /** What the body may hold; throws 422. */
  body?: InputSchema;
  /** What the query may hold; throws 422. */
  query?: InputSchema;
  /** The media types of an answer that is a `Download`. */
  files?: readonly string[];
  /** The body is a file of any type: it is not read before the caller may send it, and then by the handler. */
  upload?: boolean;
  /** What a JSON body may weigh, where it is more than usual. */
  bodyLimit?: string;
}

/**
 * A router whose calls are rows of the contract: `on('POST /sites', plan, handler)`.
 * Each call asks in the same order: 401, 400, 404, 403, 422, and then the handler with its 409.
 */
export function endpoints<Api extends { [Name in keyof Api]: Call }>() {
  const router = Router();

  function on<Name extends keyof Api & string, Caller, Access = undefined>(
    name: Name,
    plan: Plan<Params<Name>, Caller, Access>,
    handler: (ask: Ask<Api, Name, Caller, Access>) => Promise<Reply<Api[Name]['data']> | Download>,
  ): void {
    const [method, path] = name.split(' ') as ['GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', string];
    const { authenticate, authorize, ...wired } = plan;
    catalogue.calls.set(name, { audience: authenticate.audience, ...wired });
    const isOfWidget = path.startsWith('/widget/');
    const type = isOfWidget ? [JSON_TYPE, PLAIN_TYPE] : JSON_TYPE;
    const parseJson = express.json({ limit: plan.bodyLimit ?? BODY_LIMIT, type });
    const verb = method.toLowerCase() as Lowercase<typeof method>;
    router[verb](path, async (req, res) => {
      res.locals.route = req.baseUrl + path;
      const caller = await authenticate(req);
      const params = req.params as Params<Name>;
      checkIds(req.params);
      if (method !== 'GET' && !plan.upload) await readBody(parseJson, req, res);
      const access = (await authorize?.(caller, params, req)) as Access;
      const body = plan.body && (await validate(plan.body, req.body));
      const query = plan.query && (await validate(plan.query, req.query, 'query'));
      const ask = { req, res, params, caller, access, body, query } as Ask<Api, Name, Caller, Access>;
      const reply = await handler(ask);
      if ('file' in reply) await sendFile(res, reply);
      else send(res, reply, isOfWidget);
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

function readBody(parse: RequestHandler, req: Request, res: Response): Promise<void> {
  return new Promise((resolve, reject) => parse(req, res, (error) => (error ? reject(error) : resolve())));
}

/**
 * What fails on the way cuts the answer off: the reader sees that it is not whole. A reader who leaves is no failure, and
 * one who takes nothing for long has left.
 */
async function sendFile(res: Response, { file, fileName, headers = {} }: Download): Promise<void> {
  res.attachment(fileName).set(headers);
  if (res.req.fresh) return void res.status(304).end();
  res.setTimeout(STALL_MAX_MS, () => res.destroy());
  // Express asks the GET's handler: what nobody will get is not made.
  if (res.req.method === 'HEAD') return void res.end();
  // at once: what follows may take its time to fill a packet, or to be made
  res.flushHeaders();
  await pipeline(file, res).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  });
}

function send<Data>(res: Response, reply: Reply<Data>, isOfWidget: boolean): void {
  const body: Success<Data> = {
    success: true,
    ...(reply.message === undefined ? {} : { message: reply.message }),
    data: reply.data,
  };
  sendJson(res.status(reply.status ?? 200), body, isOfWidget);
}

/** The pattern of the route that answered, without the ids and secrets of the address. */
export function routeOf(req: Request, res: Response): string {
  return res.locals.route ?? (req.route ? String(req.route.path) : '(other)');
}

/** A guard for calls that everybody may make. */
export const anyone = guard('anyone', () => null);
