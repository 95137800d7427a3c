import { pipeline } from 'node:stream/promises';
import express, { type Request, type RequestHandler, type Response, Router } from 'express';
import type { ApiKeyScope } from '#features/apikeys/contract';
import { type FixedJson, fixedJson, JSON_TYPE, sendFixedJson, sendJson } from '../answer.ts';
import type { Call, ParamsOf, Success } from '../contract.ts';
import { badRequest, invalid } from '../errors.ts';
import { sentence } from '../sentence.ts';
import { holdUnread } from '../unreadAnswers.ts';
import { type Audience, catalogue } from './catalogue.ts';
import { type InputSchema, validate } from './validate.ts';

const BODY_LIMIT = '100kb';
/** The content type of the widget's JSON: a type that CORS allows without a preflight request. */
const PLAIN_TYPE = 'text/plain';
/**
 * A download is cut off after its reader has taken nothing for this long. It is more than for other answers: the system reports
 * what is read in large steps, and a download has little of itself in memory.
 */
const STALL_MAX_MS = 60_000;
/** A download has about so much in memory at one time, however large it is. */
const PIECE_MAX_BYTES = 256 * 1024;

/** What a handler returns; `endpoints` wraps it in the response envelope. */
export interface Reply<Data> {
  data: Data;
  status?: number;
  message?: string;
}

/**
 * A file, sent without the envelope and streamed at the reader's pace, because it may be too large for memory. Its content
 * type follows from the file name's ending.
 */
export interface Download {
  file: AsyncIterable<string | Uint8Array>;
  fileName: string;
  /** Replaces the headers that follow from the name. With an `ETag`, a client that has this version gets only 304. */
  headers?: Record<string, string>;
}

/** Sends the browser on to another address, with GET. */
export interface Redirect {
  location: string;
}

type Params<Name> = Record<Name extends string ? ParamsOf<Name> : never, string>;

/** Everything a handler receives: the validated input, the caller, and what the guard loaded. */
interface Ask<Api, Name extends keyof Api, Caller, Access> {
  req: Request;
  res: Response;
  params: Params<Name>;
  caller: Caller;
  access: Access;
  body: Api[Name] extends { body: infer Body } ? Body : undefined;
  query: Api[Name] extends { query: infer Query } ? Query : undefined;
}

/** Authenticates the caller; throws 401. Its audience and scope are kept for the OpenAPI document and tests. */
export interface Guard<Caller> {
  (req: Request): Caller | Promise<Caller>;
  audience: Audience;
  /** What an API key needs to pass; undefined: none does. */
  scope: ApiKeyScope | undefined;
}

/** Makes a guard. */
export function guard<Caller>(
  audience: Audience,
  ask: (req: Request) => Caller | Promise<Caller>,
  scope?: ApiKeyScope,
): Guard<Caller> {
  return Object.assign((req: Request) => ask(req), { audience, scope });
}

/** The checks of a call, in the order in which they run. */
interface Plan<Params, Caller, Access> {
  /** Authenticates the caller; throws 401. */
  authenticate: Guard<Caller>;
  /** Loads what the call is about with the caller's rights; throws 404 or 403. */
  authorize?: (caller: Caller, params: Params, req: Request) => Promise<Access>;
  /** The schema of the body; a violation throws 422. */
  body?: InputSchema;
  /** The schema of the query; a violation throws 422. */
  query?: InputSchema;
  /** The media types of an answer that is a `Download`. */
  files?: readonly string[];
  /** The body is a file of any type: the handler reads it, after the caller was authorized. */
  upload?: boolean;
  /** The body is that of an HTML form instead of JSON. */
  form?: boolean;
  /** The answer is the same for everybody as long as the server runs, so it is made once. */
  fixed?: boolean;
  /** The maximum size of a JSON body, where it differs from the default. */
  bodyLimit?: string;
}

/**
 * A router whose calls are rows of the contract: `on('POST /sites', plan, handler)`.
 * Every call checks in the same order: 401, 400, 404, 403, 422, then the handler with its 409. An API key that may not make
 * the call at all gets its 403 at once.
 */
export function endpoints<Api extends { [Name in keyof Api]: Call }>() {
  const router = Router();

  function on<Name extends keyof Api & string, Caller, Access = undefined>(
    name: Name,
    plan: Plan<Params<Name>, Caller, Access>,
    handler: (ask: Ask<Api, Name, Caller, Access>) => Promise<Reply<Api[Name]['data']> | Download | Redirect>,
  ): void {
    const [method, path] = name.split(' ') as ['GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', string];
    const { authenticate, authorize, fixed, ...wired } = plan;
    let made: Promise<FixedJson> | undefined;
    const { audience, scope } = authenticate;
    catalogue.calls.set(name, { audience, scope, ...wired });
    const isOfWidget = path.startsWith('/widget/');
    const type = isOfWidget ? [JSON_TYPE, PLAIN_TYPE] : JSON_TYPE;
    const limit = plan.bodyLimit ?? BODY_LIMIT;
    const parse = plan.form ? express.urlencoded({ extended: false, limit }) : express.json({ limit, type });
    const verb = method.toLowerCase() as Lowercase<typeof method>;
    router[verb](path, async (req, res) => {
      res.locals.route = req.baseUrl + path;
      const caller = await authenticate(req);
      const params = req.params as Params<Name>;
      checkIds(req.params);
      if (method !== 'GET' && !plan.upload) await readBody(parse, req, res);
      const access = (await authorize?.(caller, params, req)) as Access;
      const body = plan.body && (await validate(plan.body, req.body));
      const query = plan.query && (await validate(plan.query, req.query, 'query'));
      const ask = { req, res, params, caller, access, body, query } as Ask<Api, Name, Caller, Access>;
      if (made) return sendFixedJson(res, await made);
      const reply = await handler(ask);
      if (fixed && 'data' in reply) {
        made = fixedJson(envelope(reply));
        sendFixedJson(res, await made);
      } else if ('location' in reply) res.redirect(303, reply.location);
      else if ('file' in reply) await sendFile(res, reply);
      else send(res, reply, isOfWidget);
    });
  }

  return { router, on };
}

/**
 * Combines routers, in their order, into one that asks only those with a call below the same first segment (`/chats`): to
 * match a path against two hundred calls in turn takes longer than many of them.
 */
export function byFirstSegment(routers: Router[]): RequestHandler {
  const bySegment = new Map<string, Router>();
  for (const router of routers) {
    for (const segment of new Set(router.stack.map(({ route }) => segmentOf(route?.path))))
      bySegment.set(segment, (bySegment.get(segment) ?? Router()).use(router));
  }
  return (req, res, next) => {
    const router = bySegment.get(firstSegment(req.path));
    if (router) router(req, res, next);
    else next();
  };
}

/** @throws Error for what is no call, such as a middleware: no request would reach it */
function segmentOf(path: string | undefined): string {
  if (path === undefined) throw new Error('A router of a feature has calls only.');
  return firstSegment(path);
}

/** In lower case, as Express compares paths. */
const firstSegment = (path: string) => path.split('/', 2)[1]?.toLowerCase() ?? '';

/** The format of ids by parameter name. A widget code is not an id: a malformed one is simply unknown. */
const ID_PATTERNS: Record<string, RegExp> = {
  id: /^[0-9a-f]{24}$/i,
  siteId: /^[0-9a-f]{24}$/i,
  messageId: /^[0-9a-f]{24}$/i,
  webhookId: /^[0-9a-f]{24}$/i,
  versionId: /^[0-9a-f]{24}$/i,
  questionId: /^[0-9a-f]{24}$/i,
  importId: /^[0-9a-f]{24}$/i,
  inviteId: /^[\w-]{22}$/,
};

function checkIds(params: Request['params']): void {
  for (const [name, value] of Object.entries(params)) checkId(name, value);
}

function checkId(name: string, value: unknown): void {
  const pattern = ID_PATTERNS[name];
  if (pattern && !(typeof value === 'string' && pattern.test(value)))
    throw badRequest('INVALID_ID', sentence('This id is not valid.'));
}

/**
 * The id of the site that a call names in its body or query instead of its path.
 * @throws AppError 422 when it is missing, 400 when it is not an id
 */
export function siteIdOf(req: Request): string {
  const siteId: unknown = req.body?.siteId ?? req.query.siteId;
  if (siteId === undefined) throw invalid([{ msg: sentence('siteId is required'), path: 'siteId' }]);
  checkId('siteId', siteId);
  return String(siteId);
}

function readBody(parse: RequestHandler, req: Request, res: Response): Promise<void> {
  return new Promise((resolve, reject) => parse(req, res, (error) => (error ? reject(error) : resolve())));
}

/**
 * Streams a file. An error on the way cuts the answer off, so that the reader sees it is incomplete, and so does the end of a
 * file before its `Content-Length`. A reader who disconnects is no error; one who takes nothing for `STALL_MAX_MS` is treated
 * as disconnected.
 */
async function sendFile(res: Response, { file, fileName, headers = {} }: Download): Promise<void> {
  holdUnread(res, Math.min(Number(headers['Content-Length'] ?? PIECE_MAX_BYTES), PIECE_MAX_BYTES));
  res.attachment(fileName).set(headers);
  if (res.req.fresh) return void res.status(304).end();
  res.setTimeout(STALL_MAX_MS);
  // Express runs the GET handler for HEAD, too: content that is not sent is not made.
  if (res.req.method === 'HEAD') return void res.end();
  // Sent at once: the first piece may take time to make, or to fill a packet.
  res.flushHeaders();
  await pipeline(whole(file, res.getHeader('Content-Length')), res).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  });
}

/** All pieces of a file. @throws Error when it ends before its length, where one is announced */
async function* whole(file: Download['file'], length: unknown): Download['file'] {
  let sent = 0;
  for await (const piece of file) {
    yield piece;
    sent += Buffer.byteLength(piece);
  }
  if (length !== undefined && sent !== Number(length))
    throw new Error(`A file of ${length} bytes ended after ${sent}.`);
}

function send<Data>(res: Response, reply: Reply<Data>, isOfWidget: boolean): void {
  sendJson(res.status(reply.status ?? 200), envelope(reply), isOfWidget);
}

function envelope<Data>({ message, data }: Reply<Data>): Success<Data> {
  return { success: true, ...(message === undefined ? {} : { message }), data };
}

/** The route pattern of an answer: the address without its ids and secrets. */
export function routeOf(req: Request, res: Response): string {
  return res.locals.route ?? (req.route ? String(req.route.path) : '(other)');
}

/** The guard of calls that need no authentication. */
export const anyone = guard('anyone', () => null);
