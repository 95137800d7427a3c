import compression from 'compression';
import express, { type Express, type RequestHandler, type Router } from 'express';
import { chatPages } from '#features/chatpage';
import { apiReference, summaryOf } from '#features/docs';
import { helpAssets, helpPages } from '#features/help';
import { widgetCors } from '#features/visitors';
import { webhookRequests } from '#features/webhooks';
import {
  boundedAddress,
  boundUnread,
  byFirstSegment,
  dashboard,
  errorHandler,
  exemptOwnPages,
  type FixedJson,
  fixedJson,
  type Health,
  healthRoutes,
  openApi,
  requestLog,
  resumePage,
  securityHeaders,
  sendFixedJson,
  testPage,
  uncached,
  unknownCall,
  widgetFiles,
  widgetPreview,
} from '#platform/http';
import type { Context } from './context.ts';
import type { Feature } from './feature.ts';

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
  app.use(helpAssets());
  app.use(helpPages(context));
  app.use(widgetPreview(builds.widget));
  app.use(chatPages);
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
