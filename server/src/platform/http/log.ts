import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import { routeOf } from './endpoint/endpoint.ts';

/** Errors whose message quotes the data that caused them: a document, a query, a body. */
const QUOTING = /^(Mongo|Mongoose|BSON|Bulk|Cast|Validat|Duplicate|Document|Strict|Syntax)/;

/** An error that arises at the same place again is logged after this time, so that no caller can fill the disk with lines. */
const SAME_ERROR_EVERY_MS = 1_000;
const ERROR_LEVEL = 50;
/** Errors arise at few places; more are forgotten. */
const PLACES_MAX = 200;

/**
 * The process's log. It never contains what people wrote, their addresses or their secrets: requests are logged by their
 * route's pattern, and of an error that quotes data only its kind, its code and where it arose.
 * @param to the destination of log lines instead of the standard output
 * @param now milliseconds of any clock
 */
export function createLog(level: string, to?: DestinationStream, now = () => performance.now()): Logger {
  const repeated = createRepetitions(now);
  const options: LoggerOptions = {
    level,
    serializers: { err: plainError },
    hooks: {
      logMethod([entry, ...more], method, lineLevel) {
        const isError = lineLevel >= ERROR_LEVEL && hasError(entry);
        const before = isError ? repeated(`${more[0]} ${sourceLocation(entry.err)}`) : 0;
        if (before !== null)
          method.apply(this, [before > 0 ? Object.assign({}, entry, { repeated: before }) : entry, ...more]);
      },
    },
  };
  return to ? pino(options, to) : pino(options);
}

const hasError = (entry: unknown): entry is { err: Error } =>
  typeof entry === 'object' && entry !== null && 'err' in entry && entry.err instanceof Error;

function sourceLocation(error: Error): string {
  const code = 'code' in error ? error.code : '';
  return `${error.name} ${code} ${framesOf(error)[0]}`;
}

/** @returns a function that says how often a line was left out since it was last logged; null: it is to be left out again */
function createRepetitions(now: () => number): (line: string) => number | null {
  const logged = new Map<string, { at: number; leftOut: number }>();
  return (line) => {
    const last = logged.get(line);
    if (last && now() - last.at < SAME_ERROR_EVERY_MS) {
      last.leftOut++;
      return null;
    }
    if (!last && logged.size >= PLACES_MAX) logged.clear();
    logged.set(line, { at: now(), leftOut: 0 });
    return last?.leftOut ?? 0;
  };
}

const framesOf = ({ stack = '' }: Error) => stack.split('\n').filter((line) => line.startsWith('    at '));

function plainError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const { name, message } = error;
  const quotes = QUOTING.test(name);
  return {
    type: name,
    ...('code' in error ? { code: error.code } : {}),
    ...(quotes ? {} : { message }),
    stack: framesOf(error).join('\n'),
  };
}

/** Gives every request an id, and logs it when it ends: by the route's pattern, never by the address with its secrets. */
export function requestLog(log: Logger): RequestHandler {
  return (req, res, next) => {
    const id = randomUUID();
    const began = performance.now();
    res.locals.requestId = id;
    res.setHeader('X-Request-Id', id);
    res.on('finish', () => {
      const ms = Math.round(performance.now() - began);
      log.debug({ id, method: req.method, path: routeOf(req, res), status: res.statusCode, ms }, 'request');
    });
    next();
  };
}
