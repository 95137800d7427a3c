import { randomBytes } from 'node:crypto';
import type { RequestHandler, Response } from 'express';
import helmet from 'helmet';

const NONCE_BYTES = 16;

/** The nonce of this answer's page: what styles that libraries inject must carry. */
export function nonceOf(res: Response): string {
  res.locals.nonce ??= randomBytes(NONCE_BYTES).toString('base64');
  return res.locals.nonce as string;
}

/** Headers of every answer: nothing from elsewhere runs, nobody frames the product, nothing is sniffed. */
export function securityHeaders(): RequestHandler {
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
