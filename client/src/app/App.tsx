import { type ComponentType, useState } from 'react';
import { createBrowserRouter, RouterProvider, type RouterState } from 'react-router-dom';
import { showOwnLanguage } from '../lib/languages.ts';
import type { RouteHandle } from './guards.tsx';
import { Providers } from './Providers.tsx';
import { routes } from './routes.tsx';

/** The whole dashboard, once it has the texts of its language: English must not flash. Public pages are English. */
export async function openApp(): Promise<ComponentType> {
  await showOwnLanguage();
  return App;
}

function App() {
  const [router] = useState(openRouter);
  return (
    <Providers>
      <RouterProvider router={router} />
    </Providers>
  );
}

function openRouter() {
  const router = createBrowserRouter(routes);
  prefetchScreens(router.state);
  router.subscribe(prefetchScreens);
  return router;
}

/** Prefetches the code of a screen, at the same time as the frame around it. */
function prefetchScreens({ matches }: RouterState): void {
  for (const { route } of matches) {
    // Where the screen stands, a failure is shown.
    (route.handle as RouteHandle | undefined)?.load?.().catch(() => undefined);
  }
}
