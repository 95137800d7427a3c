import { useState } from 'react';
import { can, type Site } from 'server/contract';
import { useLeaveTeam } from '#features/team';
import { t } from '../../../lib/i18n.ts';
import { LeaveTeam } from '../../../shared/LeaveTeam.tsx';
import { useAction } from '../../../shared/useAction.ts';
import { Button } from '../../../ui/Button.tsx';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { Dialog, type DialogState } from '../../../ui/Dialog.tsx';
import { useNewWidgetCode } from '../api.ts';
import { DeleteSite } from './DeleteSite.tsx';
import { HandOverForm } from './HandOverForm.tsx';

interface OwnershipProps {
  site: Site;
  /** The site is no longer the user's to see. */
  onGone: () => void;
}

type Question = 'code' | 'handOver' | 'leave' | 'delete';

/** What is done once in a site's life, if ever: each with what comes of it. */
export function Ownership({ site, onGone }: OwnershipProps) {
  const [asked, setAsked] = useState<Question | null>(null);
  const leave = useLeaveTeam(site._id);
  const dialog = (which: Question) => ({
    open: asked === which,
    onOpenChange: (open: boolean) => setAsked(open ? which : null),
  });
  return (
    <>
      <ul className="divide-y rounded-card border bg-surface">
        {can(site, 'sites.edit') && (
          <Step
            title={t('New widget code')}
            text={t('For when others use your code on their pages. The old code stops working at once.')}
            action={t('New code')}
            onAsk={() => setAsked('code')}
          />
        )}
        {can(site, 'sites.handOver') && (
          <Step
            title={t('Hand the website over')}
            text={t('A team member becomes the owner; you stay an admin.')}
            action={t('Hand over')}
            onAsk={() => setAsked('handOver')}
          />
        )}
        {!site.isOwner && (
          <Step
            title={t('Leave the team')}
            text={t('You no longer see this website and its chats.')}
            action={t('Leave')}
            onAsk={() => setAsked('leave')}
          />
        )}
        {can(site, 'sites.delete') && (
          <Step
            title={t('Delete the website')}
            text={t('With all its chats, files and invites. This cannot be undone.')}
            action={t('Delete')}
            danger
            onAsk={() => setAsked('delete')}
          />
        )}
      </ul>
      <NewCode site={site} {...dialog('code')} />
      <Dialog
        {...dialog('handOver')}
        title={t('Hand Over Website')}
        text={t('Only the new owner can then delete {name} or hand it over. You stay on the team as an admin.', {
          name: site.name,
        })}
      >
        <HandOverForm site={site} onDone={() => setAsked(null)} />
      </Dialog>
      <LeaveTeam site={site} leave={leave} {...dialog('leave')} onLeft={onGone} />
      <DeleteSite site={site} onDeleted={onGone} {...dialog('delete')} />
    </>
  );
}

interface StepProps {
  title: string;
  text: string;
  action: string;
  danger?: boolean;
  onAsk: () => void;
}

function Step({ title, text, action, danger = false, onAsk }: StepProps) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 p-4">
      <div className="min-w-0 flex-1 basis-56">
        <p className="font-medium">{title}</p>
        <p className="text-muted">{text}</p>
      </div>
      <Button variant={danger ? 'danger' : 'secondary'} size="sm" onClick={onAsk}>
        {action}
      </Button>
    </li>
  );
}

function NewCode({ site, open, onOpenChange }: DialogState & { site: Site }) {
  const change = useNewWidgetCode(site._id);
  const run = useAction(change, {
    success: t('There is a new widget code. Put it into your pages.'),
    failure: t('The widget code could not be changed.'),
    onSuccess: () => onOpenChange(false),
  });
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t('New Widget Code')}
      text={t(
        'The widget disappears from every page of {domain} until you add the new embed code there. Visitors who are chatting right now are disconnected, and returning ones start a new chat. Your chats stay in the inbox.',
        { domain: site.domain },
      )}
      confirmLabel={t('Change the code')}
      onConfirm={() => void run()}
      busy={change.isPending}
    />
  );
}
