import { ECDH } from 'node:crypto';
import type { Router } from 'express';
import type { Types } from 'mongoose';
import {
  endpoints,
  type Field,
  flag,
  type Guard,
  type InputSchema,
  isPublicUrl,
  JSON_SCHEMA,
  sentence,
  text,
} from '#platform/http';
import { PUSH_ENDPOINT_MAX_LENGTH, type PushApi } from './contract.ts';
import { addDevice, removeDevice } from './devices.ts';
import type { Push } from './send.ts';

const PUBLIC_KEY_BYTES = 65;
const AUTH_SECRET_BYTES = 16;
const KEY_MAX_LENGTH = 100;

const endpoint: Field = {
  ...text({ label: 'endpoint', max: PUSH_ENDPOINT_MAX_LENGTH }),
  [JSON_SCHEMA]: { type: 'string', format: 'uri', maxLength: PUSH_ENDPOINT_MAX_LENGTH },
  custom: { options: isPublicUrl, errorMessage: sentence('endpoint must be a public https address') },
};

function key(label: string, fits: (bytes: Buffer) => boolean): Field {
  return {
    [JSON_SCHEMA]: { type: 'string', pattern: '^[A-Za-z0-9_-]+$', maxLength: KEY_MAX_LENGTH },
    errorMessage: sentence('{field} is not a key of a push subscription', { field: label }),
    custom: {
      options: (value: unknown) =>
        typeof value === 'string' && /^[\w-]{1,100}$/.test(value) && fits(Buffer.from(value, 'base64url')),
    },
  };
}

/** Whether the bytes are a point on the curve that encrypts push messages. */
function isPoint(bytes: Buffer): boolean {
  try {
    return bytes.length === PUBLIC_KEY_BYTES && ECDH.convertKey(bytes, 'prime256v1').length === PUBLIC_KEY_BYTES;
  } catch {
    return false;
  }
}

const deviceSchema: InputSchema = {
  endpoint,
  'keys.p256dh': key('keys.p256dh', isPoint),
  'keys.auth': key('keys.auth', (bytes) => bytes.length === AUTH_SECRET_BYTES),
  preview: flag('preview'),
};
const endpointSchema: InputSchema = { endpoint };

interface PushDeps {
  signedIn: Guard<{ user: { _id: Types.ObjectId }; sessionId: string }>;
  push: Push;
  now: () => number;
}

/** The calls of web push. */
export function pushRoutes({ signedIn: authenticate, push, now }: PushDeps): Router {
  const { router, on } = endpoints<PushApi>();

  on('GET /push/key', { authenticate }, async () => ({ data: { key: push.key } }));

  on(
    'POST /push/subscriptions',
    { authenticate, body: deviceSchema },
    async ({ caller: { user, sessionId }, body }) => {
      const isNew = await addDevice({ user: user._id, sessionId }, body, now());
      return { status: isNew ? 201 : 200, data: {} };
    },
  );

  on('DELETE /push/subscriptions', { authenticate, body: endpointSchema }, async ({ caller, body }) => {
    await removeDevice(caller.user._id, body.endpoint);
    return { data: {} };
  });

  return router;
}
