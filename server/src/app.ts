import compression from 'compression';
import express, { type Express, type RequestHandler, type Router } from 'express';
import type { Context } from './context.ts';
import { summaryOf } from './docs/reference.ts';
import { apiReference } from './docs/routes.ts';
import type { Feature } from './feature.ts';
import { type FixedJson, fixedJson, sendFixedJson } from './http/answer.ts';
import { byFirstSegment } from './http/endpoint.ts';
import { errorHandler, unknownCall } from './http/errorHandler.ts';
import { requestLog } from './http/log.ts';
import { type Health, healthRoutes } from './http/metrics.ts';
import { openApi } from './http/openapi.ts';
import { dashboard } from './http/pages.ts';
import { boundedAddress, securityHeaders, uncached } from './http/security.ts';
import { boundUnread } from './http/unreadAnswers.ts';
import { widgetFiles } from './http/widget.ts';
import { exemptOwnPages, resumePage, testPage, widgetPreview } from './http/widgetPages.ts';
import { widgetCors } from './visitors/routes.ts';
import { webhookRequests } from './webhooks/openapi.ts';

/**
 * Builds the whole Express application, with its middleware in the order in which a request passes it. It does not listen.
 */
export function createApp(features: Feature[], context: Context & { health: Health }): Express {
  const { builds, releases } = context;
  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', context.trustProxy);
  app.use(requestLog(context.log));
  app.use(context.metrics.requests);
  app.use(widgetFiles(builds.widget, releases.find));
  app.use(securityHeaders(context.publicUrl));
  app.use(boundedAddress);
  app.use('/api', api(features, context));
  app.use(healthRoutes(context.health));
  app.use(context.metrics.routes);
  app.use(widgetPreview(builds.widget));
  app.use(resumePage(builds.widget));
  app.use(testPage(builds.widget));
  app.use(compression());
  app.use(dashboard(builds.client, context.publicUrl, releases.find));
  app.use(errorHandler(context.log));
  return app;
}

/** The document is made at the first request, when all calls and events are registered. */
function openApiDocument(): RequestHandler {
  let made: Promise<FixedJson> | undefined;
  return async (_req, res) => {
    made ??= fixedJson(openApi(summaryOf, webhookRequests));
    sendFixedJson(res, await made);
  };
}

/** The REST calls, before the pages: a call passes only what concerns it. */
function api(features: Feature[], context: Context): Router {
  const router = express.Router();
  router.use(boundUnread(context.limits));
  router.use('/widget', exemptOwnPages(context.publicUrl), widgetCors);
  router.use(uncached);
  router.use(compression());
  router.use(byFirstSegment(features.flatMap(({ routes }) => routes?.(context) ?? [])));
  router.get('/', apiReference);
  router.get('/openapi.json', openApiDocument());
  router.use(unknownCall);
  return router;
}
