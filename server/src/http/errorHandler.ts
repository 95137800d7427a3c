import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { Failure } from './contract.ts';
import { routeOf } from './endpoint.ts';
import { asAppError, notFound } from './errors.ts';
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
    const known = asAppError(error);
    if (known) {
      const { message, code, said } = known;
      const body: Failure = { success: false, message, ...partsOf(said), code };
      if (known.errors) body.errors = known.errors;
      if (known.retryAfter !== undefined) {
        body.retryAfter = known.retryAfter;
        res.setHeader('Retry-After', known.retryAfter);
      }
      res.status(known.status).json(body);
      return;
    }
    log.error({ id: requestId, method: req.method, err: error }, 'unexpected error');
    const message = 'Something went wrong on our side. Please try again.';
    res.status(500).json({ success: false, message, code: 'INTERNAL', requestId } satisfies Failure);
  };
}
