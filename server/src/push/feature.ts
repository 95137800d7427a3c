import type { Feature } from '../feature.ts';
import { forgetSignedOutDevices, PushModel } from './devices.ts';
import { pushRoutes } from './routes.ts';

/** Push devices and push messages. */
export const push: Feature = {
  models: [PushModel],
  routes: (context) => [pushRoutes(context)],
  listeners: () => [forgetSignedOutDevices()],
};
