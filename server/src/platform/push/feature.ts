import type { Feature } from '#app/feature';
import { forgetSignedOutDevices } from './devices.ts';
import { pushRoutes } from './routes.ts';

/** Push devices and push messages. */
export const push: Feature = {
  routes: (context) => [pushRoutes(context)],
  listeners: () => [forgetSignedOutDevices()],
};
