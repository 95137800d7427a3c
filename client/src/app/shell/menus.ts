import { onDemand } from '../../ui/onDemand.ts';

/** What is in the menus of the frame, loaded after the first screen. */
export const menuItems = onDemand(() => import('./menuItems.tsx'));
