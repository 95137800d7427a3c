import type { Feature } from '../feature.ts';
import { createInstallations } from '../sites/origins.ts';
import { announceVisitors } from './announce.ts';
import { sweepBlocked } from './block.ts';
import { forgetSilent, forgetVisitors, sweepErased } from './erase.ts';
import { purgeVisitors, VisitorModel } from './model.ts';
import { announceOpenings } from './openings.ts';
import { visitorRoutes } from './routes.ts';
import { visitorSocket } from './socket.ts';
import { peopleRoutes } from './staff.ts';

/** The people who write: what their widget does, and what staff do with them. */
export const visitors: Feature = {
  models: [VisitorModel],
  routes: (context) => [
    peopleRoutes(context),
    visitorRoutes({ ...context, installations: createInstallations(context.now) }),
  ],
  sockets: {
    broadcast: (namespaces, context) => [
      announceVisitors(namespaces, context),
      announceOpenings(namespaces.visitors, context),
    ],
    visitors: visitorSocket,
  },
  jobs: () => [forgetSilent, forgetVisitors, sweepErased, sweepBlocked],
  purge: () => [purgeVisitors],
};
