import { timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import {
  AppError,
  addressKey,
  badRequest,
  guard,
  type Limits,
  notFound,
  sentence,
  unauthorized,
  unavailable,
} from '#platform/http';
import { sha256 } from '#platform/secrets';
import { MAIL_MAX_BYTES, type MailInQuery } from '../contract.ts';
import type { Envelope, MailIn } from '../mailIn.ts';

/** A mail and its envelope, as a program hands it over. */
export interface HandedOver {
  raw: Uint8Array;
  envelope: Envelope;
}

/** Mails in memory at one time; the program of the next one tries again. */
const AT_ONCE_MAX = 4;
/** A form has some fields besides the mail. */
const FORM_MAX_BYTES = MAIL_MAX_BYTES + 64 * 1024;
const FORM = /^(multipart\/form-data|application\/x-www-form-urlencoded)/i;

/**
 * Creates the guard of programs that hand over mails: by `MAIL_IN_SECRET`, as bearer or as password, which addresses of webhooks may
 * have. It throws 404 where there is no such door, 401 for another secret, and 429 for too many of them.
 */
export function createMailGuard(mailIn: MailIn | null, limits: Limits) {
  const secret = mailIn?.settings.secret ?? null;
  return guard('anyone', async (req) => {
    if (secret === null) throw notFound('call');
    if (isSame(secretOf(req), secret)) return null;
    await limits.take('wrongMailSecretsPerIp', addressKey(req.ip));
    throw unauthorized(sentence('This is not MAIL_IN_SECRET.'));
  });
}

function secretOf(req: Request): string {
  const authorization = req.get('authorization') ?? '';
  const end = authorization.indexOf(' ');
  const given = authorization.slice(end + 1).trim();
  if (authorization.slice(0, end).toLowerCase() !== 'basic') return given;
  const pair = Buffer.from(given, 'base64').toString();
  return pair.slice(pair.indexOf(':') + 1);
}

/** Compares in a time that says nothing about the secret. */
const isSame = (one: string, other: string) => timingSafeEqual(Buffer.from(sha256(one)), Buffer.from(sha256(other)));

/**
 * Creates what reads a mail of a request: as its body, or in a form, as SendGrid (`email`) and Mailgun (`body-mime`) send it.
 * @returns what calls `use` with it; it throws AppError 413, 503 while too many mails are in memory, 400 without a mail
 */
export function createBodies() {
  let busy = 0;
  return async function withMail<Result>(
    req: Request,
    query: MailInQuery,
    use: (mail: HandedOver) => Promise<Result>,
  ): Promise<Result> {
    if (busy >= AT_ONCE_MAX) throw unavailable();
    busy++;
    try {
      return await use(await mailOf(req, query));
    } finally {
      busy--;
    }
  };
}

async function mailOf(req: Request, { from, to }: MailInQuery): Promise<HandedOver> {
  const type = req.get('content-type') ?? '';
  const body = await bodyOf(req, FORM.test(type) ? FORM_MAX_BYTES : MAIL_MAX_BYTES);
  const form = FORM.test(type) ? await formOf(body, type) : null;
  const recipients = to ?? form?.to;
  const envelope = { door: 'http', from: from ?? form?.from ?? null, to: recipients?.split(',') ?? [] } as const;
  return { raw: form?.raw ?? body, envelope };
}

async function bodyOf(req: Request, maxBytes: number): Promise<Buffer> {
  if (Number(req.get('content-length') ?? 0) > maxBytes) throw tooLarge();
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of req.iterator({ destroyOnReturn: false })) {
    size += piece.length;
    if (size > maxBytes) {
      // The rest has to be read before the connection can carry anything else.
      req.resume();
      throw tooLarge();
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

async function formOf(
  body: Buffer,
  type: string,
): Promise<{ raw: Uint8Array; from: string | undefined; to: string | undefined }> {
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } })
    .formData()
    .catch(() => null);
  const field = (name: string) => {
    const value = form?.get(name);
    return typeof value === 'string' ? value : undefined;
  };
  const mail = form?.get('email') ?? form?.get('body-mime');
  if (mail === null || mail === undefined)
    throw badRequest('NO_MAIL', sentence('The form must have the raw mail in the field email or body-mime.'));
  const raw = typeof mail === 'string' ? new TextEncoder().encode(mail) : new Uint8Array(await mail.arrayBuffer());
  const { from, to } = envelopeOf(field('envelope'));
  return { raw, from: from ?? field('sender'), to: to ?? field('recipient') };
}

/** The envelope as SendGrid writes it: `{"to":["…"],"from":"…"}`. */
function envelopeOf(json: string | undefined): MailInQuery {
  try {
    const { from, to } = JSON.parse(json ?? '{}');
    return { ...(typeof from === 'string' && { from }), ...(Array.isArray(to) && { to: to.join(',') }) };
  } catch {
    return {};
  }
}

/** In seconds: people have to free space. */
const LATER_S = 600;

/** 503: the program keeps the mail. Providers do not try again after a 4xx. */
export const later = () =>
  new AppError(503, 'MAIL_LATER', sentence('This mail cannot be taken now. Please hand it over again later.'), {
    retryAfter: LATER_S,
  });

const tooLarge = () =>
  new AppError(413, 'TOO_LARGE', sentence('A mail can have at most {max} MB.', { max: MAIL_MAX_BYTES / 1024 / 1024 }));
