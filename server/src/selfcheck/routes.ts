import type { Router } from 'express';
import type { SignedInGuard } from '../auth/access.ts';
import type { Sessions } from '../auth/sessions.ts';
import { endpoints } from '../http/endpoint.ts';
import type { Limits } from '../http/limits.ts';
import type { Delivery, Notice, Push } from '../push/send.ts';
import { type CheckDeps, selfCheck } from './check.ts';
import type { SelfCheckApi } from './contract.ts';

const TEST_NOTICE: Notice = {
  title: 'Parley',
  body: 'Push messages arrive on this device.',
  preview: null,
  chatId: null,
};

/** What the calls of the self-check work with. */
interface SelfCheckDeps extends CheckDeps {
  signedIn: SignedInGuard;
  sessions: Sessions;
  limits: Limits;
  push: Push;
}

/** The calls of the self-check. */
export function selfCheckRoutes(deps: SelfCheckDeps): Router {
  const { router, on } = endpoints<SelfCheckApi>();
  const { signedIn: who, sessions, limits, push } = deps;

  on('GET /self-check', { who }, async ({ caller, req }) => ({ data: await selfCheck(deps, caller, req) }));

  on('POST /self-check/push', { who }, async ({ caller: { user } }) => {
    await limits.take('selfCheckPerAccount', `push:${user._id}`);
    const living = await sessions.list(user);
    const to = { user: user._id, sessions: living.map(({ _id }) => _id) };
    const deliveries = await push.send(to, TEST_NOTICE, { tries: 1 });
    const count = (outcome: Delivery) => deliveries.filter((delivery) => delivery === outcome).length;
    return { data: { sent: count('sent'), gone: count('gone'), failed: count('failed') } };
  });

  return router;
}
