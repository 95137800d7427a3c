import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { Failure } from './contract.ts';
import { routeOf } from './endpoint/endpoint.ts';
import { asAppError, internal, notFound } from './errors.ts';
import { partsOf } from './sentence.ts';

/** Unknown calls under `/api` answer JSON, never the dashboard's page. */
export const unknownCall: RequestHandler = () => {
  throw notFound('call');
};

/** The error middleware: the only place where a thrown error becomes an answer. */
export function errorHandler(log: Logger): ErrorRequestHandler {
  return (error, req, res, _next) => {
    const requestId = String(res.locals.requestId);
    if (res.headersSent) {
      // The headers are sent, so no error answer is possible. Express would print the raw error, with any data that it
      // quotes.
      log.error(
        { id: requestId, method: req.method, path: routeOf(req, res), err: error },
        'the connection closed before the answer was complete',
      );
      res.destroy();
      return;
    }
    const appError = asAppError(error);
    const { status, message, code, text, errors, retryAfter } = appError ?? internal();
    const body: Failure = { success: false, message, ...partsOf(text), code };
    if (errors) body.errors = errors;
    if (retryAfter !== undefined) {
      body.retryAfter = retryAfter;
      res.setHeader('Retry-After', retryAfter);
    }
    if (!appError) {
      body.requestId = requestId;
      log.error({ id: requestId, method: req.method, err: error }, 'unexpected error');
    }
    res.status(status).json(body);
  };
}
