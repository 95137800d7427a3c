import { Eye, MessagesSquare, Settings, Trash2, Users } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { Link } from 'react-router-dom';
import { can, type Site } from 'server/contract';
import { formatCount } from '../../lib/format.ts';
import { msg, t } from '../../lib/i18n.ts';
import { paths } from '../../lib/paths.ts';
import { rich } from '../../lib/rich.ts';
import { usePatchSite } from '../../shared/sites.ts';
import { useAction } from '../../shared/useAction.ts';
import { Button } from '../../ui/Button.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { DeleteSite } from './danger/DeleteSite.tsx';
import { EmbedCode } from './install/EmbedCode.tsx';

/** A site at a glance: its widget's switch, its chats, its code, and the ways on. */
export function SiteCard({ site }: { site: Site }) {
  const [codeShown, setCodeShown] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const codeId = useId();
  const patch = usePatchSite(site._id);
  const mayEdit = can(site, 'sites.edit');
  // The switch answers at once; it goes back by itself if the server refuses.
  const active = (patch.isPending ? patch.variables.widgetEnabled : undefined) ?? site.widgetEnabled;
  const run = useAction(patch, { failure: t('The widget could not be switched.') });
  const toggle = (widgetEnabled: boolean) => void run({ widgetEnabled });

  return (
    <li className="flex flex-col rounded-card border bg-surface">
      <div className="flex flex-wrap items-start gap-x-2 gap-y-3 p-5 pb-4">
        <div className="min-w-0 flex-1 basis-40">
          <h2 dir="auto" className="text-base font-semibold wrap-anywhere">
            {site.name}
          </h2>
        </div>
        <div className="-mt-2 -me-2 -ms-2 flex items-center">
          {mayEdit && (
            <span className="px-2">
              <Switch label={t('Widget of {name}', { name: site.name })} checked={active} onCheckedChange={toggle} />
            </span>
          )}
          <IconButton asChild label={t('Settings of {name}', { name: site.name })}>
            <Link to={paths.site(site._id)}>
              <Settings size={18} aria-hidden />
            </Link>
          </IconButton>
          {can(site, 'sites.delete') && (
            <IconButton label={t('Delete {name}', { name: site.name })} tone="danger" onClick={() => setDeleting(true)}>
              <Trash2 size={18} aria-hidden />
            </IconButton>
          )}
        </div>
        <p className="-mt-3 basis-full address wrap-anywhere text-muted">{site.domain}</p>
      </div>
      <dl className="grid grid-cols-2 border-y">
        <Count label={t('Total Chats')} value={site.stats.totalChats} />
        <Count label={t('Active Chats')} value={site.stats.activeChats} />
      </dl>
      <div className="flex flex-1 flex-col gap-3 p-5">
        <div className="flex min-h-8 items-center justify-between gap-3">
          <p>
            {rich(active ? msg('Widget: <state>Active</state>') : msg('Widget: <state>Inactive</state>'), {
              state: (text) => (
                <span className={active ? 'font-medium text-success' : 'font-medium text-muted'}>{text}</span>
              ),
            })}
          </p>
          {mayEdit && (
            <Button variant="secondary" size="sm" onClick={() => toggle(!active)}>
              {active ? t('Disable') : t('Enable')}
            </Button>
          )}
        </div>
        <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
          <button
            type="button"
            aria-expanded={codeShown}
            aria-controls={codeId}
            onClick={() => setCodeShown(!codeShown)}
            className="w-fit rounded-small font-medium text-accent hover:text-accent-strong"
          >
            {codeShown ? t('Hide Embed Code') : t('Show Embed Code')}
          </button>
          <Link
            to={paths.siteVisitors(site._id)}
            className="inline-flex items-center gap-1.5 font-medium text-muted hover:text-text"
          >
            <Eye size={16} aria-hidden />
            {t('Visitors now')}
          </Link>
        </div>
        <div id={codeId} hidden={!codeShown}>
          {codeShown && <EmbedCode widgetCode={site.widgetCode} />}
        </div>
      </div>
      <div className="grid grid-cols-2 divide-x border-t">
        <Way to={paths.siteChats(site._id)} icon={<MessagesSquare size={16} aria-hidden />}>
          {t('View Chats')}
        </Way>
        <Way to={paths.siteTeam(site._id)} icon={<Users size={16} aria-hidden />}>
          {t('Manage Team')}
        </Way>
      </div>
      <DeleteSite site={site} open={deleting} onOpenChange={setDeleting} />
    </li>
  );
}

function Count({ label, value }: { label: string; value: number }) {
  return (
    <div className="flex flex-col-reverse px-5 py-3.5 not-first:border-s">
      <dt className="text-xs text-muted">{label}</dt>
      <dd className="text-xl font-semibold tabular-nums">{formatCount(value)}</dd>
    </div>
  );
}

function Way({ to, icon, children }: { to: string; icon: ReactNode; children: string }) {
  return (
    <Link
      to={to}
      className="flex items-center justify-center gap-2 px-3 py-3 font-medium text-muted transition-colors first:rounded-es-card last:rounded-ee-card hover:bg-text/4 hover:text-text focus-visible:-outline-offset-2"
    >
      {icon}
      {children}
    </Link>
  );
}
