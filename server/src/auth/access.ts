import type { Request } from 'express';
import { type Guard, guard } from '../http/endpoint.ts';
import type { Caller, Sessions } from './sessions.ts';

/** The bearer token of a request, if it carries one. */
export function bearer(req: Request): string | undefined {
  return req.get('authorization')?.match(/^Bearer (\S+)$/i)?.[1];
}

/** The guard of every call for signed-in people: gives the caller. */
export type SignedInGuard = Guard<Caller>;

/** Makes the guard; it throws 401 without a living session. */
export function createSignedIn(sessions: Sessions): SignedInGuard {
  return guard('staff', (req) => sessions.caller(bearer(req)));
}
