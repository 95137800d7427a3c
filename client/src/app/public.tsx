import type { ComponentType } from 'react';
import { COMING_SOON, type ComingSoon } from '#features/landing';

/** A page without a log-in that is the same for everybody: the build renders it to HTML, and the browser hydrates it. */
export interface PublicPage {
  path: string;
  title: string;
  /** The description for search engines and link previews. */
  description: string;
  load: () => Promise<{ default: ComponentType }>;
}

export const PUBLIC_PAGES: readonly PublicPage[] = [
  {
    path: '/',
    title: 'Parley: free live chat for your website',
    description:
      'Add live chat to your website in two minutes and answer your visitors together with your team. Free forever, on your own server.',
    load: () => import('../features/landing/LandingPage.tsx'),
  },
  {
    path: '/privacy',
    title: 'Privacy · Parley',
    description: 'What this server keeps about visitors and teams, for how long, and how to have it erased.',
    load: () => import('../features/landing/PrivacyPage.tsx'),
  },
  {
    path: '/status',
    title: 'Status · Parley',
    description: 'Whether this server is running and can save messages, checked right now.',
    load: () => import('../features/landing/StatusPage.tsx'),
  },
  {
    path: '/404',
    title: 'Page Not Found · Parley',
    description: 'There is no page at this address.',
    load: () => import('../features/landing/NotFoundPage.tsx'),
  },
  ...COMING_SOON.map(comingSoon),
];

/** The public page of an address, if it is one. */
export function publicPageAt(pathname: string): PublicPage | undefined {
  let path = pathname;
  while (path.length > 1 && path.endsWith('/')) path = path.slice(0, -1);
  return PUBLIC_PAGES.find((page) => page.path === path);
}

function comingSoon({ path, ...page }: ComingSoon): PublicPage {
  return {
    path,
    title: `${page.title} · Parley`,
    description: page.text,
    load: async () => {
      const { ComingSoonPage } = await import('../features/landing/ComingSoonPage.tsx');
      return { default: () => <ComingSoonPage {...page} /> };
    },
  };
}
