import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import { type DestinationStream, type Logger, pino } from 'pino';
import { routeOf } from './endpoint.ts';

/** Errors whose message quotes the data that caused them: a document, a query, a body. */
const QUOTING = /^(Mongo|Mongoose|BSON|Bulk|Cast|Validat|Duplicate|Document|Strict|Syntax)/;

/**
 * The process's log. It never contains what people wrote, their addresses or their secrets: requests are logged by their
 * route's pattern, and of an error that quotes data only its kind, its code and where it arose.
 * @param to the destination of log lines instead of the standard output
 */
export function createLog(level: string, to?: DestinationStream): Logger {
  const options = { level, serializers: { err: plainError } };
  return to ? pino(options, to) : pino(options);
}

function plainError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const { name, message, stack = '' } = error;
  const quotes = QUOTING.test(name);
  const frames = stack.split('\n').filter((line) => line.startsWith('    at '));
  return {
    type: name,
    ...('code' in error ? { code: error.code } : {}),
    ...(quotes ? {} : { message }),
    stack: frames.join('\n'),
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
