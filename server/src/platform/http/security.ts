import { randomBytes } from 'node:crypto';
import type { RequestHandler, Response } from 'express';
import helmet from 'helmet';
import { AppError } from './errors.ts';
import { sentence } from './sentence.ts';

const NONCE_BYTES = 16;

/** The nonce of this answer's page, required on styles that libraries inject. */
export function nonceOf(res: Response): string {
  res.locals.nonce ??= randomBytes(NONCE_BYTES).toString('base64');
  return res.locals.nonce as string;
}

const HSTS_S = 15_552_000;

/** What a call answers is private, and stays in no cache. Answers for everybody say so themselves. */
export const uncached: RequestHandler = (_req, res, next) => {
  res.setHeader('Cache-Control', 'no-store');
  next();
};

/** The widget's calls: they answer JSON, never a page, and make up most of a visitor's traffic. */
const WIDGET_CALL = /^\/api\/widget\//i;

/**
 * Security headers of every answer: no foreign scripts, no framing, no content sniffing; and where people reach Parley by HTTPS,
 * never by plain HTTP again.
 */
export function securityHeaders(publicUrl: string | null): RequestHandler {
  const ofPages = pageHeaders(publicUrl);
  return (req, res, next) => {
    if (!WIDGET_CALL.test(req.path)) return ofPages(req, res, next);
    minimalHeaders(res);
    next();
  };
}

/**
 * Sets the headers of answers that are never a page: those that only concern pages and frames are left out. Also left out:
 * headers that HTTP/1.1 implies, and those that repeat what the body of a refusal says.
 */
export function minimalHeaders(res: Response): void {
  res.setHeader('X-Content-Type-Options', 'nosniff');
  res.removeHeader('X-Request-Id');
  res.removeHeader('Connection');
}

function pageHeaders(publicUrl: string | null): RequestHandler {
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
    // Running on plain http://localhost is supported. Other names of the operator's domain are not ours to decide.
    strictTransportSecurity: publicUrl?.startsWith('https:') ? { maxAge: HSTS_S, includeSubDomains: false } : false,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  });
}

/** Our longest address has a few hundred characters; the bound keeps the matching of every route's pattern cheap. */
const PATH_MAX_LENGTH = 1_024;
/** Including the query: a search of 200 characters becomes up to twelve times longer when encoded. */
const ADDRESS_MAX_LENGTH = 8_192;

/** Refuses addresses longer than any valid one, before any other code reads them. */
export const boundedAddress: RequestHandler = ({ url }, _res, next) => {
  const query = url.indexOf('?');
  const pathLength = query < 0 ? url.length : query;
  if (pathLength > PATH_MAX_LENGTH || url.length > ADDRESS_MAX_LENGTH)
    throw new AppError(414, 'ADDRESS_TOO_LONG', sentence('This address is too long.'));
  next();
};
