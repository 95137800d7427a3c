import type { ComponentType } from 'react';
import { Navigate, Outlet, type RouteObject, useLocation } from 'react-router-dom';
import { cx } from '../lib/cx.ts';
import { msg, t } from '../lib/i18n.ts';
import { paths } from '../lib/paths.ts';
import { ErrorBoundary, type Place } from '../ui/ErrorBoundary.tsx';
import { lazyPart } from '../ui/lazyPart.tsx';
import { Spinner } from '../ui/Spinner.tsx';
import { GuestsOnly, LogOutOnArrival, RequireAdmin, RequireAuth, type RouteHandle } from './guards.tsx';
import { PUBLIC_PAGES, type PublicPage } from './public.tsx';

function Waiting({ place }: { place: Place }) {
  return (
    <div
      className={cx(
        'flex animate-fade items-center justify-center text-muted',
        place === 'page' ? 'min-h-dvh' : 'min-h-[60vh]',
      )}
    >
      <Spinner label={t('Loading')} />
    </div>
  );
}

/** A screen that threw an error is rendered again by each navigation, to its own address too. */
function AtAddress({ screen: Screen }: { screen: ReturnType<typeof lazyPart> }) {
  return <Screen resetOn={useLocation().key} />;
}

/** The route of a screen in a file of its own. The click shows at once: it does not wait for the file. */
function screenAt(place: Place, request: () => Promise<ComponentType>, handle?: RouteHandle) {
  const screen = lazyPart<object>(request, { place, waiting: <Waiting place={place} /> });
  return { element: <AtAddress screen={screen} />, handle: { ...handle, load: screen.load } };
}

type Page = () => Promise<{ default: ComponentType }>;

function page(path: string, load: Page, handle?: RouteHandle): RouteObject {
  const place = path.startsWith(paths.home) ? 'screen' : 'page';
  return { path, ...screenAt(place, async () => (await load()).default, handle) };
}

/** The route of a public page, for navigation from within the dashboard. */
function publicPage({ path, title, load }: PublicPage): RouteObject {
  const route = page(path, load);
  const element = (
    <>
      <LogOutOnArrival />
      <title>{title}</title>
      {route.element}
    </>
  );
  return { ...route, element };
}

/** The frame of the dashboard, with the live connection that only it has. */
const frame = screenAt('page', async () => {
  const [{ DashboardProviders }, { Shell }] = await Promise.all([
    import('./DashboardProviders.tsx'),
    import('./shell/Shell.tsx'),
  ]);
  return () => (
    <DashboardProviders>
      <Shell />
    </DashboardProviders>
  );
});

const dashboard: RouteObject[] = [
  page(paths.home, () => import('../features/overview/OverviewPage.tsx'), { title: msg('Home') }),
  page(paths.inbox, () => import('../features/inbox/InboxPage.tsx'), { title: msg('Chat Inbox') }),
  page(paths.sites, () => import('../features/sites/SitesPage.tsx'), { title: msg('Sites') }),
  page(paths.newSite, () => import('../features/sites/CreateSitePage.tsx'), {
    title: msg('Create New Site'),
    keepOnSignOut: true,
  }),
  page(paths.site(':siteId'), () => import('../features/sites/SiteSettingsPage.tsx'), {
    title: msg('Site settings'),
    keepOnSignOut: true,
  }),
  page(paths.siteAssistant(':siteId'), () => import('../features/assistant/settings/AssistantPage.tsx'), {
    title: msg('Assistant'),
  }),
  page(paths.siteChats(':siteId'), () => import('../features/inbox/console/ConsolePage.tsx'), { title: msg('Chats') }),
  page(paths.siteTeam(':siteId'), () => import('../features/team/TeamPage.tsx'), { title: msg('Manage Team') }),
  page(paths.siteVisitors(':siteId'), () => import('../features/visitors/VisitorsPage.tsx'), {
    title: msg('Visitors now'),
  }),
  page(paths.visitors, () => import('../features/visitors/VisitorsPage.tsx'), { title: msg('Visitors now') }),
  page(paths.history, () => import('../features/history/HistoryPage.tsx'), { title: msg('Chat History') }),
  page(paths.reports, () => import('../features/reports/ReportsPage.tsx'), { title: msg('Reports') }),
  page(paths.team, () => import('../features/team/TeamPage.tsx'), { title: msg('Team Management') }),
  page(paths.help, () => import('../features/articles/HelpPage.tsx'), { title: msg('Help') }),
  page(paths.article(':articleId'), () => import('../features/articles/editor/ArticlePage.tsx'), {
    title: msg('Help'),
  }),
  page(paths.selfCheck, () => import('../features/selfcheck/SelfCheckPage.tsx'), { title: msg('Self-check') }),
  page(paths.settings, () => import('../features/settings/SettingsPage.tsx'), { title: msg('Settings') }),
];

export const routes: RouteObject[] = [
  {
    element: (
      <ErrorBoundary place="page">
        <Outlet />
      </ErrorBoundary>
    ),
    children: [
      ...PUBLIC_PAGES.map(publicPage),
      page('/reset', () => import('../features/auth/ResetPage.tsx')),
      page('/confirm', () => import('../features/auth/ConfirmEmailPage.tsx')),
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
          { ...frame, children: dashboard },
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
