import type { Feature } from '../feature.ts';
import { guardStaff } from './door.ts';
import { ResetModel, SessionModel, UserModel } from './model.ts';
import { sweepPictures } from './pictures.ts';
import { authRoutes } from './routes.ts';
import { authSocket } from './socket.ts';

/** Accounts, sessions, and who is let in. */
export const auth: Feature = {
  models: [UserModel, SessionModel, ResetModel],
  inReserve: { sessions: {}, resets: {} },
  routes: (context) => [authRoutes(context)],
  sockets: {
    broadcast: ({ staff }, context) => [guardStaff(staff, context)],
    staff: authSocket,
  },
  jobs: () => [sweepPictures],
};
