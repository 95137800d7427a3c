/** The addresses of the dashboard's screens, as its links and routes have them. */
export const paths = {
  home: '/dashboard',
  inbox: '/dashboard/inbox',
  /** An open chat; also known to `public/sw.js`. @param seq the message to show */
  chat: (id: string, seq?: number) => `/dashboard/inbox?chat=${id}${seq === undefined ? '' : `&at=${seq}`}`,
  sites: '/dashboard/sites',
  newSite: '/dashboard/sites/new',
  site: (id: string) => `/dashboard/sites/${id}`,
  embedCode: (siteId: string) => `/dashboard/sites/${siteId}?tab=embed`,
  /** The guides to install the widget, with the site's code filled in. */
  installGuides: (siteId: string) => `/docs?tab=install&site=${siteId}`,
  siteChats: (siteId: string) => `/dashboard/sites/${siteId}/chats`,
  siteTeam: (siteId: string) => `/dashboard/sites/${siteId}/team`,
  /** How far the assistant of a site goes. */
  siteAssistant: (siteId: string) => `/dashboard/sites/${siteId}/assistant`,
  assistantDocs: '/docs?tab=assistant',
  siteVisitors: (siteId: string) => `/dashboard/sites/${siteId}/visitors`,
  visitors: '/dashboard/visitors',
  history: '/dashboard/history',
  reports: '/dashboard/reports',
  team: '/dashboard/team',
  help: '/dashboard/help',
  article: (id: string) => `/dashboard/help/${id}`,
  selfCheck: '/dashboard/self-check',
  settings: '/dashboard/settings',
  notificationSettings: '/dashboard/settings?tab=notifications',
};

/** The query parameters of an address with some changed; an empty value removes its parameter. */
export function withParams(params: URLSearchParams, changes: Record<string, string>): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const [name, value] of Object.entries(changes)) {
    if (value) next.set(name, value);
    else next.delete(name);
  }
  return next;
}
