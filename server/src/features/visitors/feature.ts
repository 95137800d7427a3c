import type { Feature } from '#app/feature';
import { createInstallations } from '#features/sites';
import { followChanges } from './actions.ts';
import { assistantSocket } from './assistant.ts';
import { broadcastOfficeHours, sendToNewDashboard } from './availability.ts';
import { broadcastVisitors } from './broadcast.ts';
import { sweepCopies } from './edits.ts';
import { purgeVisitors } from './model.ts';
import { removeOldVisitors, removeSilentVisitors, sweepErased } from './people/people.ts';
import { peopleRoutes } from './people/peopleRoutes.ts';
import { visitorRoutes } from './routes.ts';
import { visitorSocket } from './socket.ts';

/** Visitors: the calls and events of their widget, and what staff do with them. */
export const visitors: Feature = {
  routes: (context) => [
    peopleRoutes(context),
    visitorRoutes({ ...context, installations: createInstallations(context.now) }),
  ],
  sockets: {
    broadcast: (namespaces, context) => [
      broadcastVisitors(namespaces, context),
      broadcastOfficeHours(namespaces, context),
    ],
    staff: sendToNewDashboard,
    visitors: (router, context) => {
      visitorSocket(router, context);
      assistantSocket(router, context);
    },
  },
  listeners: () => [followChanges()],
  jobs: () => [removeSilentVisitors, removeOldVisitors, sweepErased, sweepCopies],
  purge: () => [purgeVisitors],
};
