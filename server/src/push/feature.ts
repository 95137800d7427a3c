import type { Feature } from '../feature.ts';
import { forgetSignedOutDevices, PushModel } from './devices.ts';
import { pushRoutes } from './routes.ts';

/** The devices that ring. */
export const push: Feature = {
  models: [PushModel],
  routes: (context) => [pushRoutes(context)],
  listeners: () => [forgetSignedOutDevices()],
};
