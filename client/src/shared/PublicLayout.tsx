import { type ReactNode, useSyncExternalStore } from 'react';
import { token } from '../lib/token.ts';
import { Button } from '../ui/Button.tsx';
import { ThemeSwitch } from '../ui/ThemeSwitch.tsx';
import { Logo } from './Logo.tsx';

const PLACES = [
  ['/#features', 'Features'],
  ['/docs', 'Docs'],
  ['/about', 'About'],
] as const;
const LINK = 'rounded-control px-3 py-2 font-medium text-muted hover:text-text';

/** Header and footer of the public pages, which are English. Plain links, since these pages do not load the router. */
export function PublicLayout({ children }: { children: ReactNode }) {
  return (
    <div lang="en" dir="ltr" className="flex min-h-dvh flex-col">
      <a
        href="#content"
        className="sr-only left-px z-50 rounded-control bg-accent px-4 py-2 text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to the content
      </a>
      <SiteHeader />
      <main id="content" className="flex-1 scroll-mt-16">
        {children}
      </main>
      <SiteFooter />
    </div>
  );
}

function SiteHeader() {
  const signedIn = useSyncExternalStore(token.subscribe, token.get, () => null) !== null;
  const login = !signedIn && (
    <a href="/login" className={LINK}>
      Login
    </a>
  );
  return (
    <header className="sticky top-0 z-30 border-b bg-background">
      <div className="mx-auto flex h-16 max-w-6xl items-center gap-1 px-4 sm:px-6">
        <a href="/" aria-label="Parley, main page" className="mr-auto rounded-control">
          <Logo named />
        </a>
        <nav aria-label="Main" className="flex items-center">
          <span className="flex max-md:hidden">
            <Places />
          </span>
          {/* On phones: a menu that works without script. */}
          <details className="relative md:hidden">
            <summary className={`${LINK} list-none [&::-webkit-details-marker]:hidden`}>Menu</summary>
            <span className="absolute right-0 flex w-40 flex-col rounded-card border bg-raised p-1 shadow-float">
              <Places />
              {login}
            </span>
          </details>
          {login && <span className="max-sm:hidden">{login}</span>}
        </nav>
        <div className="max-[360px]:hidden">
          <ThemeSwitch />
        </div>
        <Button asChild size="sm" className="ml-1">
          {signedIn ? <a href="/dashboard">Dashboard</a> : <a href="/register">Get Started</a>}
        </Button>
      </div>
    </header>
  );
}

function Places() {
  return PLACES.map(([to, label]) => (
    <a key={to} href={to} className={LINK}>
      {label}
    </a>
  ));
}

function SiteFooter() {
  return (
    <footer className="border-t">
      <div className="mx-auto grid max-w-6xl grid-cols-2 gap-x-6 gap-y-10 px-4 py-14 sm:px-6 md:grid-cols-[2fr_1fr_1fr_1fr]">
        <div className="max-md:col-span-2">
          <Logo named />
          <p className="max-w-xs pt-3 text-muted">Free live chat that you host yourself. Your visitors stay yours.</p>
        </div>
        {FOOTER_LINKS.map((group) => (
          <nav key={group.title} aria-label={group.title}>
            <h2 className="pb-3 font-semibold">{group.title}</h2>
            <ul className="flex flex-col">
              {group.links.map(({ to, label }) => (
                <li key={to}>
                  <a href={to} className="inline-block py-1.5 text-muted hover:text-text hover:underline">
                    {label}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        ))}
      </div>
    </footer>
  );
}

/** The links in the footer of the public pages. */
export const FOOTER_LINKS = [
  {
    title: 'Product',
    links: [
      { to: '/features', label: 'Features' },
      { to: '/roadmap', label: 'Roadmap' },
      { to: '/integrations', label: 'Integrations' },
      { to: '/api', label: 'API' },
    ],
  },
  {
    title: 'Help',
    links: [
      { to: '/docs', label: 'Docs' },
      { to: '/help', label: 'Help' },
      { to: '/blog', label: 'Blog' },
      { to: '/status', label: 'Status' },
    ],
  },
  {
    title: 'Company',
    links: [
      { to: '/about', label: 'About' },
      { to: '/careers', label: 'Careers' },
      { to: '/contact', label: 'Contact' },
      { to: '/privacy', label: 'Privacy' },
    ],
  },
];
