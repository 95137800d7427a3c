import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createMemoryRouter, type RouteObject, RouterProvider } from 'react-router-dom';
import { TOKEN_KEY, type User } from 'server/contract';
import { DashboardProviders } from '../src/app/DashboardProviders.tsx';
import { Providers } from '../src/app/Providers.tsx';
import { type FakeApi, fakeApi } from './api.ts';
import { type FakeSocket, fakeSocket } from './socket.ts';

interface Started {
  api: FakeApi;
  socket: FakeSocket;
  user: ReturnType<typeof userEvent.setup>;
  /** Where the router is. */
  path: () => string;
}

/** Opens screens at an address, as a browser would, with a server and a socket in the test's hands. */
export function startApp(
  routes: RouteObject[],
  path: string,
  { api = fakeApi(), signedInAs }: { api?: FakeApi; signedInAs?: User } = {},
): Started {
  const socket = fakeSocket();
  if (signedInAs) {
    localStorage.setItem(TOKEN_KEY, 'stored-token');
    api.on('GET /auth/profile', { user: signedInAs });
  }
  const router = createMemoryRouter(routes, { initialEntries: [path] });
  render(
    <Providers>
      <DashboardProviders open={socket.open}>
        <RouterProvider router={router} />
      </DashboardProviders>
    </Providers>,
  );
  const where = () => router.state.location.pathname + router.state.location.search;
  return { api, socket, user: userEvent.setup(), path: where };
}
