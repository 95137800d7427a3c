import type { Router } from 'express';
import type { Types } from 'mongoose';
import { endpoints, type Guard } from '../http/endpoint.ts';
import type { PushApi } from './contract.ts';
import { addDevice, removeDevice } from './devices.ts';
import { deviceRules, endpointRules } from './rules.ts';
import type { Push } from './send.ts';

/** What the calls of web push work with. */
interface PushDeps {
  signedIn: Guard<{ user: { _id: Types.ObjectId }; sessionId: string }>;
  push: Push;
  /** Milliseconds */
  now: () => number;
}

/** The calls of web push. */
export function pushRoutes({ signedIn: who, push, now }: PushDeps): Router {
  const { router, on } = endpoints<PushApi>();

  on('GET /push/key', { who }, async () => ({ data: { key: push.key } }));

  on('POST /push/subscriptions', { who, body: deviceRules }, async ({ caller: { user, sessionId }, body }) => {
    const isNew = await addDevice({ user: user._id, sessionId }, body, now());
    return { status: isNew ? 201 : 200, data: {} };
  });

  on('DELETE /push/subscriptions', { who, body: endpointRules }, async ({ caller, body }) => {
    await removeDevice(caller.user._id, body.endpoint);
    return { data: {} };
  });

  return router;
}
