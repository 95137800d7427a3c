import { fileURLToPath } from 'node:url';
import compression from 'compression';
import express, { type Express } from 'express';
import type { Logger } from 'pino';
import type { FigureSources } from './admin/figures.ts';
import { adminRoutes } from './admin/routes.ts';
import type { SignedInGuard } from './auth/access.ts';
import type { AuthDeps } from './auth/actions.ts';
import { authRoutes } from './auth/routes.ts';
import { chatRoutes } from './chats/routes.ts';
import type { Env } from './env.ts';
import type { Press } from './exports/press.ts';
import { exportRoutes } from './exports/routes.ts';
import { fileRoutes } from './files/routes.ts';
import { historyRoutes } from './history/routes.ts';
import { type Health, healthRoutes } from './http/health.ts';
import type { Metrics } from './http/metrics.ts';
import { openApi } from './http/openapi.ts';
import { dashboard, widgetFiles } from './http/pages.ts';
import { widgetPreview } from './http/preview.ts';
import { forgetOwnOrigin, resumePage } from './http/resume.ts';
import { securityHeaders } from './http/security.ts';
import { errorSink, requestLog, unknownCall } from './http/sink.ts';
import type { Mail } from './mail/mail.ts';
import { notifyRoutes } from './notify/routes.ts';
import { countChats } from './overview/read.ts';
import { overviewRoutes } from './overview/routes.ts';
import type { UsualReply } from './overview/usual.ts';
import type { Presence } from './presence/presence.ts';
import { pushRoutes } from './push/routes.ts';
import type { Push } from './push/send.ts';
import { replyRoutes } from './replies/routes.ts';
import { searchChats } from './search/find.ts';
import { searchRoutes } from './search/routes.ts';
import { settingsRoutes } from './settings/routes.ts';
import { createInstallations } from './sites/installation.ts';
import { siteRoutes } from './sites/routes.ts';
import { teamRoutes } from './team/routes.ts';
import { twoFactorRoutes } from './twofactor/routes.ts';
import type { Vault } from './twofactor/vault.ts';
import type { ResumeLinks } from './visitors/resume.ts';
import { visitorRoutes, widgetCors } from './visitors/routes.ts';
import { peopleRoutes } from './visitors/staff.ts';

const CLIENT_DIST = fileURLToPath(new URL('../../client/dist', import.meta.url));
const WIDGET_DIST = fileURLToPath(new URL('../../widget/dist', import.meta.url));

/** What the HTTP side is made of. */
export interface AppDeps extends AuthDeps, FigureSources {
  signedIn: SignedInGuard;
  vault: Vault;
  presence: Presence;
  press: Press;
  health: Health;
  metrics: Metrics;
  mail: Mail;
  links: ResumeLinks;
  push: Push;
  log: Logger;
  trustProxy: Env['trustProxy'];
  sitesPerAccount: number;
  usualReply: UsualReply;
  publicUrl: Env['publicUrl'];
  /** Milliseconds */
  now: () => number;
}

/** The whole HTTP side, in the order in which a request passes it. It does not listen. */
export function createApp(deps: AppDeps): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', deps.trustProxy);
  app.use(requestLog(deps.log));
  app.use(deps.metrics.requests);
  app.use(securityHeaders());
  app.use(healthRoutes(deps.health));
  app.use(deps.metrics.routes);
  app.use(widgetFiles(WIDGET_DIST));
  app.use(widgetPreview(WIDGET_DIST));
  app.use(resumePage(WIDGET_DIST));
  app.use('/api/widget', forgetOwnOrigin(deps.publicUrl), widgetCors);
  app.use(compression());
  app.use('/api', authRoutes(deps));
  app.use('/api', twoFactorRoutes(deps));
  app.use('/api', settingsRoutes(deps));
  app.use('/api', siteRoutes({ ...deps, countChats }));
  app.use('/api', teamRoutes(deps));
  app.use('/api', searchRoutes(deps));
  app.use('/api', historyRoutes(deps));
  app.use('/api', exportRoutes(deps));
  app.use('/api', overviewRoutes(deps));
  app.use('/api', replyRoutes(deps));
  app.use('/api', pushRoutes(deps));
  app.use('/api', adminRoutes(deps));
  app.use('/api', fileRoutes());
  app.use('/api', chatRoutes({ ...deps, searchChats }));
  app.use('/api', peopleRoutes(deps));
  app.use('/api', visitorRoutes({ ...deps, installations: createInstallations(deps.now) }));
  app.use('/api', notifyRoutes(deps));
  app.get('/api/openapi.json', (_req, res) => void res.json(openApi()));
  app.use('/api', unknownCall);
  app.use(dashboard(CLIENT_DIST, deps.publicUrl));
  app.use(errorSink(deps.log));
  return app;
}
