import { useState } from 'react';
import { createBrowserRouter, RouterProvider, type RouterState } from 'react-router-dom';
import type { RouteHandle } from './guards.tsx';
import { Providers } from './Providers.tsx';
import { routes } from './routes.tsx';

/** The whole dashboard. */
export function App() {
  const [router] = useState(openRouter);
  return (
    <Providers>
      <RouterProvider router={router} />
    </Providers>
  );
}

function openRouter() {
  const router = createBrowserRouter(routes);
  fetchScreens(router.state);
  router.subscribe(fetchScreens);
  return router;
}

/** Asks for a screen together with the frame around it, which would otherwise have to be there first. */
function fetchScreens({ matches }: RouterState): void {
  for (const { route } of matches) void (route.handle as RouteHandle | undefined)?.file?.fetch();
}
