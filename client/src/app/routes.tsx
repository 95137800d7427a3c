import type { ComponentType } from 'react';
import { Navigate, type RouteObject } from 'react-router-dom';
import { Spinner } from '../ui/Spinner.tsx';
import { GuestsOnly, RequireAdmin, RequireAuth, type RouteHandle } from './guards.tsx';
import { PUBLIC_PAGES, type PublicPage } from './public.tsx';
import { RouteError } from './RouteError.tsx';

/** Within the dashboard's frame a broken screen has a place already. */
const FRAMED = <RouteError />;
const ALONE = (
  <main>
    <RouteError />
  </main>
);

type Page = () => Promise<{ default: ComponentType }>;

/** A screen of its own file, loaded when it is first gone to, and alone in its failures. */
function page(path: string, load: Page, handle?: RouteHandle): RouteObject {
  const errorElement = path.startsWith('/dashboard') ? FRAMED : ALONE;
  return { path, handle, errorElement, lazy: async () => ({ Component: (await load()).default }) };
}

/** A public page, gone to from within the dashboard. */
function publicPage({ path, title, load }: PublicPage): RouteObject {
  return {
    path,
    errorElement: ALONE,
    lazy: async () => {
      const { default: Page } = await load();
      return {
        element: (
          <>
            <title>{title}</title>
            <Page />
          </>
        ),
      };
    },
  };
}

/** The frame of the dashboard, with the live connection that only it has. */
async function shell() {
  const [{ Live }, { Shell }] = await Promise.all([import('./Live.tsx'), import('./shell/Shell.tsx')]);
  return {
    element: (
      <Live>
        <Shell />
      </Live>
    ),
  };
}

const dashboard: RouteObject[] = [
  page('/dashboard', () => import('../features/overview/OverviewPage.tsx'), { title: 'Home' }),
  page('/dashboard/inbox', () => import('../features/chats/InboxPage.tsx'), { title: 'Chat Inbox' }),
  page('/dashboard/sites', () => import('../features/sites/SitesPage.tsx'), { title: 'Sites' }),
  page('/dashboard/sites/new', () => import('../features/sites/CreateSitePage.tsx'), {
    title: 'Create New Site',
    keepOnSignOut: true,
  }),
  page('/dashboard/sites/:siteId', () => import('./SiteSettings.tsx'), {
    title: 'Site settings',
    keepOnSignOut: true,
  }),
  page('/dashboard/sites/:siteId/chats', () => import('../features/chats/console/ConsolePage.tsx'), { title: 'Chats' }),
  page('/dashboard/sites/:siteId/team', () => import('../features/team/TeamPage.tsx'), { title: 'Manage Team' }),
  page('/dashboard/sites/:siteId/visitors', () => import('../features/visitors/VisitorsPage.tsx'), {
    title: 'Visitors now',
  }),
  page('/dashboard/visitors', () => import('../features/visitors/VisitorsPage.tsx'), { title: 'Visitors now' }),
  page('/dashboard/history', () => import('../features/history/HistoryPage.tsx'), { title: 'Chat History' }),
  page('/dashboard/team', () => import('../features/team/TeamPage.tsx'), { title: 'Team Management' }),
  page('/dashboard/self-check', () => import('../features/selfcheck/SelfCheckPage.tsx'), { title: 'Self-check' }),
  page('/dashboard/settings', () => import('../features/settings/SettingsPage.tsx'), { title: 'Settings' }),
];

export const routes: RouteObject[] = [
  {
    errorElement: ALONE,
    HydrateFallback: () => (
      <div className="flex min-h-dvh items-center justify-center text-muted">
        <Spinner />
      </div>
    ),
    children: [
      ...PUBLIC_PAGES.map(publicPage),
      page('/reset', () => import('../features/auth/ResetPage.tsx')),
      page('/invite/:inviteId', () => import('../features/team/InvitePage.tsx')),
      page('/docs', () => import('../features/docs/DocsPage.tsx')),
      { path: '/api', element: <Navigate to="/docs?tab=api-endpoints" replace /> },
      { path: '/help', element: <Navigate to="/docs" replace /> },
      {
        element: <GuestsOnly />,
        children: [
          page('/login', () => import('../features/auth/LoginPage.tsx')),
          page('/register', () => import('../features/auth/RegisterPage.tsx')),
          page('/forgot', () => import('../features/auth/ForgotPage.tsx')),
        ],
      },
      {
        element: <RequireAuth />,
        children: [
          { lazy: shell, children: dashboard },
          {
            element: <RequireAdmin />,
            children: [page('/admin', () => import('../features/admin/AdminPage.tsx'))],
          },
        ],
      },
      { path: '*', element: <Navigate to="/404" replace /> },
    ],
  },
];
