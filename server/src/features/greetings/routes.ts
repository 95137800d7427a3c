import type { Router } from 'express';
import type { SignedInGuard } from '#features/auth';
import { requirement, siteFor } from '#features/sites';
import { anyPage, isMachine, widgetSite } from '#features/visitors';
import { addressKey, endpoints, type InputSchema, type Limits, text } from '#platform/http';
import type { GreetingsApi } from './contract.ts';
import { countGreeting, greetingFigures } from './figures.ts';

const ID_MAX_LENGTH = 36;
const shownSchema: InputSchema = { greeting: text({ label: 'greeting', max: ID_MAX_LENGTH }) };

/** The calls of greetings. */
export function greetingRoutes({ signedIn: { orKey }, limits }: { signedIn: SignedInGuard; limits: Limits }): Router {
  const { router, on } = endpoints<GreetingsApi>();

  on(
    'GET /sites/:id/greetings',
    { authenticate: orKey.manage, authorize: requirement(siteFor)('sites.edit') },
    async ({ access }) => ({
      data: { greetings: await greetingFigures(access.site) },
    }),
  );

  on(
    'POST /widget/:widgetCode/greetings',
    {
      authenticate: anyPage,
      authorize: ({ origin }, { widgetCode }) => widgetSite(widgetCode, origin),
      body: shownSchema,
    },
    async ({ access, body, req }) => {
      await limits.take('greetingsPerAddress', addressKey(req.ip));
      if (!isMachine(req.get('user-agent') ?? '')) countGreeting(access, body.greeting, 'shown');
      return { data: {} };
    },
  );

  return router;
}
