import type { Feature } from '#app/feature';
import { chatPageRoutes } from './routes.ts';

/** The page on which a site's visitors chat without a website around it: for links and QR codes. */
export const chatpage: Feature = { routes: (context) => [chatPageRoutes(context)] };
