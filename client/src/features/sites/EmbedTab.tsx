import { CircleCheck, CircleDashed, ExternalLink, MessageCircle, TriangleAlert } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router-dom';
import type { Chat, Installation as Seen, Site } from 'server/contract';
import { t } from '../../lib/i18n.ts';
import { paths } from '../../lib/paths.ts';
import { useSocketEvents } from '../../lib/socket.tsx';
import { visitorName } from '../../shared/visitorName.ts';
import { Button } from '../../ui/Button.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { Time } from '../../ui/Time.tsx';
import { EmbedCode } from './EmbedCode.tsx';
import { useInstallation } from './mutations.ts';

/** The server writes a sighting down once a minute: what is not older is an answer. */
const FRESH_MS = 60_000;

/** How the widget gets into the site's pages, and whether it did. */
export function EmbedTab({ site, active }: { site: Site; active: boolean }) {
  return (
    <div className="flex max-w-3xl flex-col gap-4">
      <div>
        <h2 className="text-base font-semibold">Embed Code</h2>
        <p className="pt-1 text-muted">
          Paste this line into the pages of {site.domain}, just before the closing{' '}
          <code className="font-mono text-xs">&lt;/body&gt;</code> tag.
        </p>
      </div>
      <EmbedCode widgetCode={site.widgetCode} />
      <a
        href={paths.installGuides(site._id)}
        target="_blank"
        rel="noreferrer"
        className="w-fit font-medium text-accent hover:underline"
      >
        {t('Guides for WordPress, Shopify, React and others')}
      </a>
      <p className="text-muted">
        Preview: the chat button will be at the bottom {site.customization.position} of your pages
        {site.widgetEnabled ? '.' : ', as soon as you enable the widget on the Sites screen.'}
      </p>
      <Installation key={site.widgetCode} site={site} active={active} />
    </div>
  );
}

interface InstallationProps {
  site: Site;
  /** The tab is looked at: behind another one nobody waits. */
  active: boolean;
}

/** Whether the widget has been seen in the website's pages. One that never was is waited for at once. */
function Installation({ site, active }: InstallationProps) {
  /** What a check began from; `null`: nobody has asked for one. */
  const [asked, setAsked] = useState<{ before: string | null } | null>({ before: null });
  const wanted = active && site.widgetEnabled && asked !== null;
  const {
    data: seen,
    isError,
    refetch,
  } = useInstallation(site._id, {
    enabled: active,
    waitingFrom: wanted ? asked.before : undefined,
  });
  const [newest, setNewest] = useState<Chat | null>(null);
  useSocketEvents({
    new_chat: ({ chat }) => {
      if (chat.site._id === site._id) setNewest(chat);
    },
  });
  const waiting = wanted && seen?.seenAt === asked.before;
  const check = async () => {
    const { data } = await refetch();
    const at = data?.seenAt ?? null;
    setAsked(at !== null && Date.now() - Date.parse(at) < FRESH_MS ? null : { before: at });
  };

  return (
    <section aria-labelledby="installation" className="flex flex-col gap-3 border-t pt-6">
      <h2 id="installation" className="text-base font-semibold">
        Check my installation
      </h2>
      <div role="status" className="flex flex-col gap-3 rounded-card border bg-surface p-4">
        {!site.widgetEnabled ? (
          <Line icon={<TriangleAlert size={18} aria-hidden className="text-waiting" />}>
            The widget is switched off, so no page shows it. Enable it on the Sites screen first.
          </Line>
        ) : isError ? (
          <Line icon={<TriangleAlert size={18} aria-hidden className="text-waiting" />}>
            The server did not answer. {waiting ? 'Trying again …' : 'Check again in a moment.'}
          </Line>
        ) : waiting ? (
          <Line icon={<Spinner size={18} />}>
            Waiting for the widget. Open or reload a page of <b className="font-medium">{site.domain}</b> in another
            tab; this line shows it within seconds.
          </Line>
        ) : (
          seen && <Sighting seen={seen} domain={site.domain} />
        )}
        {newest && (
          <Line icon={<MessageCircle size={18} aria-hidden className="text-accent" />}>
            <bdi>{visitorName(newest.visitorInfo.name)}</bdi> has written to you.{' '}
            <Link to={paths.chat(newest._id)} className="font-medium text-accent hover:underline">
              Open the chat
            </Link>
          </Line>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        {waiting ? (
          <Button variant="secondary" size="sm" onClick={() => setAsked(null)}>
            Stop waiting
          </Button>
        ) : (
          <Button variant="secondary" size="sm" disabled={!site.widgetEnabled} onClick={check}>
            Check again
          </Button>
        )}
        <a
          href={`/test/${encodeURIComponent(site.widgetCode)}`}
          target="_blank"
          rel="noopener"
          className="inline-flex items-center gap-1.5 font-medium text-accent hover:underline"
        >
          Open a test page
          <ExternalLink size={14} aria-hidden />
          <span className="sr-only">(in a new tab)</span>
        </a>
      </div>
    </section>
  );
}

/** When, where and in which version the widget was seen. */
function Sighting({ seen: { seenAt, origin, page, version }, domain }: { seen: Seen; domain: string }) {
  if (seenAt === null || origin === null) {
    return (
      <Line icon={<CircleDashed size={18} aria-hidden className="text-muted" />}>
        The widget has not been seen yet.
      </Line>
    );
  }
  const fits = isOf(origin, domain);
  const mark = fits ? (
    <CircleCheck size={18} aria-hidden className="text-success" />
  ) : (
    <TriangleAlert size={18} aria-hidden className="text-waiting" />
  );
  return (
    <Line icon={mark}>
      {fits ? 'It works. The widget was seen on ' : 'The widget was seen on '}
      <b className="font-medium">{page ?? origin}</b>.
      <span className="block text-muted">
        Last seen: <Time at={seenAt} />
        {version !== null && ` · version ${version}`}
      </span>
      {!fits && (
        <span className="block pt-1">
          This website is registered as {domain}. If both are correct, you can ignore this.
        </span>
      )}
    </Line>
  );
}

function Line({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <div className="flex items-start gap-3">
      <span className="mt-px shrink-0">{icon}</span>
      <p className="min-w-0 wrap-anywhere">{children}</p>
    </div>
  );
}

/** Whether a page of this origin is one of the domain's, its subdomains included. */
function isOf(origin: string, domain: string): boolean {
  const { host, hostname } = new URL(origin);
  return host === domain || hostname === domain || hostname.endsWith(`.${domain}`);
}
