import { screen, within } from '@testing-library/react';
import { type ComponentType, createElement } from 'react';
import type { Department, Site, SitePatch } from 'server/contract';
import { fakeApi, Refusal } from '../../../test/api.ts';
import { startApp } from '../../../test/app.tsx';
import { makeSite, makeUser } from '../../../test/make.ts';
import { useAuth } from '../../lib/auth.tsx';
import { useLive } from '../chats/live/live.ts';
import CreateSitePage from './CreateSitePage.tsx';
import SiteSettings from './SiteSettingsPage.tsx';
import SitesPage from './SitesPage.tsx';

/** Who looks at the site screens. */
export const ANA = makeUser();
export const OAK = makeSite({ name: 'Oak and Line', widgetCode: 'w_oak', stats: { totalChats: 12, activeChats: 3 } });

/** As the real routes do: nothing before the user is known, a form stays after the session's end, and news are heard. */
const known = (Page: ComponentType) => () => {
  useLive();
  return useAuth().isLoading ? null : createElement(Page);
};

const ROUTES = [
  { path: '/dashboard/sites', Component: known(SitesPage) },
  { path: '/dashboard/sites/new', Component: known(CreateSitePage) },
  { path: '/dashboard/sites/:siteId', Component: known(SiteSettings) },
  { path: '/dashboard', Component: () => 'Home screen' },
  { path: '/login', Component: () => 'Login screen' },
];

/** The site screens at an address, with a server that has these sites. */
export function startSites(path: string, { sites = [OAK], departments = [] as Department[] } = {}) {
  const api = fakeApi();
  api.on('GET /sites/:id/departments', { departments });
  api.on('GET /sites', () => ({ sites, limit: 3 }));
  api.on('GET /sites/:id/installation', { installation: { seenAt: null, origin: null, page: null, version: null } });
  const picture = 'data:image/svg+xml;base64,PHN2Zy8+';
  api.on('GET /sites/:id/chat-page', {
    chatPage: { url: 'https://chat.example.com/c/w_oak', svg: picture, png: 'data:image/png;base64,iVBORw==' },
  });
  api.on('GET /sites/:id/usage', { usage: { text: { bytes: 0, max: null }, files: { bytes: 0, max: null } } });
  api.on('GET /sites/:id/greetings', ({ params }) => {
    const greetings = sites.find(({ _id }) => _id === params.id)?.settings.greetings ?? [];
    return { greetings: greetings.map(({ id }) => ({ id, shown: 1_200, answered: 90 })) };
  });
  api.on('GET /sites/:id', ({ params }) => {
    const site = sites.find(({ _id }) => _id === params.id);
    return site ? { site } : new Refusal(404, { code: 'NOT_FOUND', message: 'Not found' });
  });
  return startApp(ROUTES, path, { api, signedInAs: ANA });
}

/** Changes the site as the server does, which refuses to overwrite what is no longer as in `base`. */
export function patched(site: Site, { base, ...patch }: SitePatch): Site | Refusal {
  const now = flat(site);
  const before = flat(base ?? {});
  const stale = Object.keys(flat(patch)).filter((path) => path in before && before[path] !== now[path]);
  const msg = 'Somebody else has changed this meanwhile.';
  if (stale.length > 0)
    return new Refusal(409, { code: 'SETTINGS_CHANGED', message: msg, errors: stale.map((path) => ({ path, msg })) });
  const { customization, settings, ...rest } = patch;
  return {
    ...site,
    ...rest,
    customization: { ...site.customization, ...customization },
    settings: { ...site.settings, ...settings } as Site['settings'],
  };
}

/** The fields of a site by their dotted names, as JSON. */
function flat({ customization, settings, ...rest }: Partial<Site> | SitePatch): Record<string, string> {
  const named = (prefix: string, part: object = {}) =>
    Object.entries(part).map(([name, value]) => [prefix + name, JSON.stringify(value)]);
  return Object.fromEntries([
    ...named('', rest),
    ...named('customization.', customization),
    ...named('settings.', settings),
  ]);
}

/** Reads the alert that is up, and closes it. */
export async function dismiss(user: ReturnType<typeof startSites>['user']): Promise<string | null> {
  const alert = await screen.findByRole('alertdialog');
  const text = alert.textContent;
  await user.click(within(alert).getByRole('button', { name: 'OK' }));
  return text;
}
