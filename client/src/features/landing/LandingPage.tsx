import { Fragment, useEffect, useSyncExternalStore } from 'react';
import { embedCode } from 'server/contract';
import { PublicLayout } from '../../shared/PublicLayout.tsx';
import { Avatar } from '../../ui/Avatar.tsx';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { CLAIMS, FEATURES, TESTIMONIALS } from './content.ts';
import { Demo } from './Demo.tsx';

const WIDTH = 'mx-auto max-w-6xl px-4 sm:px-6';

/** / */
export default function LandingPage() {
  useAnchor();
  return (
    <PublicLayout>
      <Hero />
      <Snippet />
      <Features />
      {TESTIMONIALS.length > 0 && <Voices />}
      <LastWord />
    </PublicLayout>
  );
}

/** Scrolls to the hash of the address, which did not exist yet when the browser looked for it. */
function useAnchor(): void {
  useEffect(() => {
    if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, []);
}

function Hero() {
  return (
    <section className={`${WIDTH} pt-12 pb-16 lg:pt-16`}>
      <div className="grid items-end gap-x-14 gap-y-6 lg:grid-cols-[7fr_5fr]">
        <h1 className="text-4xl font-semibold tracking-[-0.03em] text-balance sm:text-5xl">
          Talk to the people on your website.
        </h1>
        <div>
          <p className="max-w-xl text-base text-muted">
            Parley puts a chat in the corner of your pages and an inbox in front of your team. Visitors write, you
            answer, and no message gets lost on the way.
          </p>
          <div className="flex flex-wrap items-center gap-x-5 gap-y-3 pt-5">
            <Button asChild>
              <a href="/register">Get Started</a>
            </Button>
            <p className="text-muted">Free forever, no credit card. Set up in 2 minutes.</p>
          </div>
        </div>
      </div>
      <Demo />
    </section>
  );
}

/** Shown until the browser says where this server is. */
const SOME_ORIGIN = 'https://chat.example.com';

function useOrigin(): string {
  return useSyncExternalStore(
    () => () => undefined,
    () => location.origin,
    () => SOME_ORIGIN,
  );
}

const STEPS = ['Create your account', 'Add your website', 'Paste this line before the closing body tag'];

function Snippet() {
  const code = embedCode(useOrigin(), undefined);
  return (
    <section aria-labelledby="snippet" className="border-y bg-surface">
      <div className={`${WIDTH} grid items-center gap-x-14 gap-y-8 py-14 lg:grid-cols-[5fr_7fr]`}>
        <div>
          <h2 id="snippet" className="text-2xl font-semibold">
            One line of code, and it works
          </h2>
          <ol className="flex flex-col gap-2 pt-4 text-base text-muted">
            {STEPS.map((step, index) => (
              <li key={step} className="flex gap-3">
                <span className="font-semibold text-text tabular-nums">{index + 1}</span> {step}
              </li>
            ))}
          </ol>
        </div>
        <div className="min-w-0 rounded-card border bg-background">
          <div className="flex items-center justify-between border-b py-2 pr-2 pl-4 text-muted">
            your-page.html <CopyButton text={code} />
          </div>
          <pre className="p-4 font-mono text-[13px] leading-6 whitespace-pre-wrap wrap-anywhere">
            <code>
              {code.split(' ').map((word) => (
                <Fragment key={word}>
                  <span className="inline-block max-w-full">{word}</span>{' '}
                </Fragment>
              ))}
              <span className="text-muted">{'\n</body>'}</span>
            </code>
          </pre>
        </div>
      </div>
    </section>
  );
}

function Features() {
  return (
    <section id="features" aria-labelledby="features-title" className={`${WIDTH} scroll-mt-16 py-20`}>
      <h2 id="features-title" className="text-2xl font-semibold">
        What you get
      </h2>
      <ul className="grid gap-x-10 gap-y-10 pt-10 sm:grid-cols-2 lg:grid-cols-3">
        {FEATURES.map(({ icon: Icon, title, text }) => (
          <li key={title} className="border-t pt-5">
            <Icon size={20} aria-hidden className="text-accent" />
            <h3 className="pt-3 text-base font-semibold">{title}</h3>
            <p className="pt-1 text-base text-muted">{text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Voices() {
  return (
    <section aria-labelledby="voices" className="border-t bg-surface">
      <div className={`${WIDTH} py-20`}>
        <h2 id="voices" className="text-2xl font-semibold">
          Teams that talk
        </h2>
        <ul className="grid gap-x-10 gap-y-12 pt-10 md:grid-cols-3">
          {TESTIMONIALS.map(({ words, name, role }) => (
            <li key={name}>
              <figure className="flex h-full flex-col justify-between gap-5">
                <blockquote className="text-base">“{words}”</blockquote>
                <figcaption className="flex items-center gap-3">
                  <Avatar name={name} size="lg" />
                  <span>
                    <span className="block font-medium">{name}</span>
                    <span className="text-muted">{role}</span>
                  </span>
                </figcaption>
              </figure>
            </li>
          ))}
        </ul>
        {CLAIMS.length > 0 && (
          <dl className="mt-14 flex flex-wrap gap-x-16 gap-y-6 border-t pt-8">
            {CLAIMS.map(({ figure, of }) => (
              <div key={of} className="flex flex-col-reverse">
                <dt className="text-muted">{of}</dt>
                <dd className="text-2xl font-semibold tabular-nums">{figure}</dd>
              </div>
            ))}
          </dl>
        )}
      </div>
    </section>
  );
}

function LastWord() {
  return (
    <section aria-labelledby="last" className="border-t">
      <div className={`${WIDTH} flex flex-wrap items-center justify-between gap-6 py-16`}>
        <h2 id="last" className="text-2xl font-semibold text-balance">
          Visitors may be on your website right now.
        </h2>
        <Button asChild>
          <a href="/register">Get Started</a>
        </Button>
      </div>
    </section>
  );
}
