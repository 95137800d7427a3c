import { CircleCheck, CircleDashed, ExternalLink, MessageCircle, TriangleAlert } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Chat, Installation as Seen, Site } from 'server/contract';
import { msg, t } from '../../../lib/i18n.ts';
import { paths } from '../../../lib/paths.ts';
import { rich } from '../../../lib/rich.ts';
import { useSocketEvents } from '../../../lib/socket.tsx';
import { visitorName } from '../../../shared/visitorName.ts';
import { Button } from '../../../ui/Button.tsx';
import { linkTo } from '../../../ui/linkTo.tsx';
import { Spinner } from '../../../ui/Spinner.tsx';
import { Time } from '../../../ui/Time.tsx';
import { useInstallation } from '../api.ts';
import { ChatPage } from './ChatPage.tsx';
import { EmbedCode } from './EmbedCode.tsx';

/** The server writes a sighting down once a minute: what is not older is an answer. */
const FRESH_MS = 60_000;

/** How the widget gets into the site's pages, and whether it did. */
export function EmbedTab({ site, active }: { site: Site; active: boolean }) {
  return (
    <div className="flex max-w-3xl flex-col gap-4">
      <div>
        <h2 className="text-base font-semibold">{t('Embed Code')}</h2>
        <p className="pt-1 text-muted">
          {rich('Paste this line into the pages of {domain}, just before the closing {tag} tag.', {
            domain: site.domain,
            tag: <code className="address font-mono text-xs">{'</body>'}</code>,
          })}
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
        {site.customization.position === 'left'
          ? t('Preview: the chat button will be at the bottom left of your pages.')
          : t('Preview: the chat button will be at the bottom right of your pages.')}{' '}
        {!site.widgetEnabled && t('It shows as soon as you enable the widget on the Sites screen.')}
      </p>
      <Installation key={site.widgetCode} site={site} active={active} />
      <ChatPage site={site} active={active} />
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
        {t('Check my installation')}
      </h2>
      <div role="status" className="flex flex-col gap-3 rounded-card border bg-surface p-4">
        {!site.widgetEnabled ? (
          <Line icon={<TriangleAlert size={18} aria-hidden className="text-waiting" />}>
            {t('The widget is switched off, so no page shows it. Enable it on the Sites screen first.')}
          </Line>
        ) : isError ? (
          <Line icon={<TriangleAlert size={18} aria-hidden className="text-waiting" />}>
            {t('The server did not answer.')} {waiting ? t('Trying again …') : t('Check again in a moment.')}
          </Line>
        ) : waiting ? (
          <Line icon={<Spinner size={18} />}>
            {rich(
              'Waiting for the widget. Open or reload a page of {domain} in another tab; this line shows it within seconds.',
              { domain: <b className="address font-medium">{site.domain}</b> },
            )}
          </Line>
        ) : (
          seen && <Sighting seen={seen} domain={site.domain} />
        )}
        {newest && (
          <Line icon={<MessageCircle size={18} aria-hidden className="text-accent" />}>
            {rich('{name} has written to you. <link>Open the chat</link>', {
              name: <bdi>{visitorName(newest.visitorInfo.name)}</bdi>,
              link: linkTo(paths.chat(newest._id)),
            })}
          </Line>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        {waiting ? (
          <Button variant="secondary" size="sm" onClick={() => setAsked(null)}>
            {t('Stop waiting')}
          </Button>
        ) : (
          <Button variant="secondary" size="sm" disabled={!site.widgetEnabled} onClick={check}>
            {t('Check again')}
          </Button>
        )}
        <a
          href={`/test/${encodeURIComponent(site.widgetCode)}`}
          target="_blank"
          rel="noopener"
          className="inline-flex items-center gap-1.5 font-medium text-accent hover:underline"
        >
          {t('Open a test page')}
          <ExternalLink size={14} aria-hidden />
          <span className="sr-only">{t('(in a new tab)')}</span>
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
        {t('The widget has not been seen yet.')}
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
      {rich(fits ? msg('It works. The widget was seen on {page}.') : msg('The widget was seen on {page}.'), {
        page: <b className="address font-medium">{page ?? origin}</b>,
      })}
      <span className="block text-muted">
        {rich('Last seen: {time}', { time: <Time at={seenAt} /> })}
        {version !== null && <> · {t('version {version}', { version })}</>}
      </span>
      {!fits && (
        <span className="block pt-1">
          {t('This website is registered as {domain}. If both are correct, you can ignore this.', { domain })}
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
