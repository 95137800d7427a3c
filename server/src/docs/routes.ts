import type { Router } from 'express';
import { anyone, endpoints } from '../http/endpoint.ts';
import { embed } from './content/embed.ts';
import { examples } from './content/examples.ts';
import { javascript } from './content/javascript.ts';
import { overview } from './content/overview.ts';
import type { DocsApi } from './contract.ts';
import { reference } from './reference.ts';

/** The documentation, for everybody. */
export function docsRoutes(): Router {
  const { router, on } = endpoints<DocsApi>();
  on('GET /docs', { who: anyone }, async () => ({ data: overview }));
  on('GET /docs/embed-code', { who: anyone }, async () => ({ data: embed }));
  on('GET /docs/api-endpoints', { who: anyone }, async () => ({ data: reference() }));
  on('GET /docs/javascript-api', { who: anyone }, async () => ({ data: javascript }));
  on('GET /docs/examples', { who: anyone }, async () => ({ data: examples }));
  return router;
}
