import { screen, waitFor, within } from '@testing-library/react';
import { Link, Outlet } from 'react-router-dom';
import { expect, it } from 'vitest';
import { fakeApi } from '../../test/api.ts';
import { startApp } from '../../test/app.tsx';
import { makeChat } from '../../test/make.ts';
import HistoryPage from '../features/history/HistoryPage.tsx';
import SitesPage from '../features/sites/SitesPage.tsx';
import TeamPage from '../features/team/TeamPage.tsx';
import { ANA, makeMember, OAK } from '../features/team/testing.ts';
import { useAuth } from '../lib/auth.tsx';

const SCREENS = { history: HistoryPage, sites: SitesPage, team: TeamPage };

function Frame() {
  const names = Object.keys(SCREENS);
  return (
    useAuth().user && (
      <main>
        {names.map((name) => (
          <Link key={name} to={`/dashboard/${name}`}>
            To {name}
          </Link>
        ))}
        <Outlet />
      </main>
    )
  );
}

const ROUTES = [
  {
    element: <Frame />,
    children: Object.entries(SCREENS).map(([name, Component]) => ({ path: `/dashboard/${name}`, Component })),
  },
];

it.each([
  ['was deleted', true, 'sites', 'Delete Oak and Line', 'Delete Website'],
  ['was left', false, 'team', 'Leave this team', 'Leave'],
] as const)('removes the chats of a website that %s from the history', async (_, isOwner, name, ask, confirm) => {
  const api = fakeApi();
  let sites = [{ ...OAK, isOwner, role: isOwner ? ('admin' as const) : ('agent' as const) }];
  const drop = () => {
    sites = [];
    return {};
  };
  const row = { ...makeChat({ site: { _id: OAK._id, name: OAK.name } }), durationMinutes: 12 };
  api.on('GET /sites', () => ({ sites, limit: 3 }));
  api.on('GET /chats/supporters', { supporters: [] });
  api.on('GET /chats/history', () => ({ chats: sites.map(() => row), nextCursor: null, total: null }));
  api.on('GET /team/members', { members: [makeMember({ _id: ANA._id })] });
  api.on('DELETE /sites/:id', drop);
  api.on('DELETE /team/members/me', drop);
  const { user } = startApp(ROUTES, '/dashboard/history', { api, signedInAs: ANA });
  await screen.findByText('Mina Park');
  await user.click(screen.getByRole('link', { name: `To ${name}` }));
  await user.click(await screen.findByRole('button', { name: ask }));
  const question = within(await screen.findByRole('alertdialog'));
  await user.click(question.getByRole('button', { name: confirm }));
  await waitFor(() => expect(sites).toEqual([]));
  await user.click(screen.getByRole('link', { name: 'To history' }));
  await waitFor(() => expect(screen.queryByText('Mina Park')).toBeNull());
});
