import { createElement } from 'react';
import type { Claimer, HistoryRow } from 'server/contract';
import { fakeApi } from '../../../test/api.ts';
import { startApp } from '../../../test/app.tsx';
import { id, makeChat, makeSite, makeUser } from '../../../test/make.ts';
import { useAuth } from '../../lib/auth.tsx';
import HistoryPage from './HistoryPage.tsx';

export const OAK = makeSite({ name: 'Oak and Line' });
export const BEN: Claimer = { _id: id(), name: 'Ben Ito' };

export function makeRow(parts: Partial<HistoryRow> = {}): HistoryRow {
  return { ...makeChat({ site: { _id: OAK._id, name: OAK.name } }), durationMinutes: 12, ...parts };
}

/** As the frame and the guard of the real routes do: `main` scrolls. */
const Framed = () =>
  useAuth().user && createElement('main', { style: { overflowY: 'auto' } }, createElement(HistoryPage));

/** The history of one site, with a server that has these chats whatever one filters by. */
export function startHistory({ rows = [] as HistoryRow[], path = '/dashboard/history' } = {}) {
  const api = fakeApi();
  api.on('GET /chats/:id', ({ params }) => ({ chat: rows.find(({ _id }) => _id === params.id) ?? makeRow() }));
  api.on('GET /sites', { sites: [OAK], limit: 3 });
  api.on('GET /chats/supporters', { supporters: [BEN] });
  api.on('GET /chats/history', { chats: rows, nextCursor: null, total: null });
  const routes = [
    { path: '/dashboard/history', Component: Framed },
    { path: '/dashboard/inbox', element: null },
  ];
  return startApp(routes, path, { api, signedInAs: makeUser() });
}
