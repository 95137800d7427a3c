import { randomBytes } from 'node:crypto';
import type { RequestHandler, Response } from 'express';
import helmet from 'helmet';

const NONCE_BYTES = 16;

/** The nonce of this answer's page: what styles that libraries inject must carry. */
export function nonceOf(res: Response): string {
  res.locals.nonce ??= randomBytes(NONCE_BYTES).toString('base64');
  return res.locals.nonce as string;
}

/** Calls of the widget: their answers are JSON, never a page, and many of them are all that a visitor's line carries. */
const WIDGET_CALL = /^\/api\/widget\//i;

/** Headers of every answer: nothing from elsewhere runs, nobody frames the product, nothing is sniffed. */
export function securityHeaders(): RequestHandler {
  const ofPages = pageHeaders();
  return (req, res, next) => {
    if (!WIDGET_CALL.test(req.path)) return ofPages(req, res, next);
    bareHeaders(res);
    next();
  };
}

/**
 * Headers of answers that are never a page of ours: what a browser does with pages and frames means nothing there. What is left
 * out besides says what HTTP/1.1 takes for granted, or what a refusal's body says.
 */
export function bareHeaders(res: Response): void {
  res.setHeader('X-Content-Type-Options', 'nosniff');
  res.removeHeader('X-Request-Id');
  res.removeHeader('Connection');
}

function pageHeaders(): RequestHandler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        styleSrc: ["'self'", (_req, res) => `'nonce-${nonceOf(res as Response)}'`],
        imgSrc: ["'self'", 'data:', 'blob:'],
        connectSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    // Plain http://localhost is a supported way to run; the operator's proxy says when all is https.
    strictTransportSecurity: false,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  });
}
