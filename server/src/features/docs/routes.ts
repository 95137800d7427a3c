import type { RequestHandler, Router } from 'express';
import { anyone, endpoints, type Limits } from '#platform/http';
import type { DocsApi } from './contract.ts';
import {
  apiKeys,
  assistant,
  departments,
  embed,
  examples,
  install,
  javascript,
  moveIn,
  overview,
  webhooks,
} from './pages.ts';
import { reference } from './reference.ts';

/**
 * Redirects a browser that opens the address of the API to its reference; programs get the usual answer for an unknown call.
 */
export const apiReference: RequestHandler = (req, res, next) => {
  if (req.accepts(['json', 'html']) !== 'html') return next();
  res.redirect('/docs?tab=api-endpoints');
};

/** The routes of the documentation. They are public. */
export function docsRoutes({ limits }: { limits: Limits }): Router {
  const { router, on } = endpoints<DocsApi>();
  const plan = { authenticate: anyone, fixed: true };
  on('GET /docs', plan, async () => ({ data: overview(limits) }));
  on('GET /docs/embed-code', plan, async () => ({ data: embed() }));
  on('GET /docs/install', plan, async () => ({ data: install() }));
  on('GET /docs/api-endpoints', plan, async () => ({ data: reference() }));
  on('GET /docs/javascript-api', plan, async () => ({ data: javascript() }));
  on('GET /docs/api-keys', plan, async () => ({ data: apiKeys() }));
  on('GET /docs/webhooks', plan, async () => ({ data: webhooks() }));
  on('GET /docs/examples', plan, async () => ({ data: examples() }));
  on('GET /docs/move-in', plan, async () => ({ data: moveIn() }));
  on('GET /docs/assistant', plan, async () => ({ data: assistant() }));
  on('GET /docs/departments', plan, async () => ({ data: departments() }));
  return router;
}
