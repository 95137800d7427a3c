import type { Request } from 'express';
import { type Guard, guard } from '../http/endpoint.ts';
import type { Limits } from '../http/limits.ts';
import type { Caller, Sessions } from './sessions.ts';

/** The bearer token of a request, if it carries one. */
export function bearer(req: Request): string | undefined {
  return req.get('authorization')?.match(/^Bearer (\S+)$/i)?.[1];
}

/** The guard of every call for signed-in people: gives the caller. */
export type SignedInGuard = Guard<Caller>;

/** Makes the guard; it throws 401 without a living session, and 429 for one that asks too often. */
export function createSignedIn(sessions: Sessions, limits: Limits): SignedInGuard {
  return guard('staff', async (req) => {
    const caller = await sessions.caller(sessions.keyOf(bearer(req)));
    await limits.take('callsPerAccount', caller.user._id.toHexString());
    return caller;
  });
}
