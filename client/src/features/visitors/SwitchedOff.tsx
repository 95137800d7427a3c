import { EyeOff } from 'lucide-react';
import { can, type Site } from 'server/contract';
import { useAction } from '../../shared/useAction.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { usePatchSite } from '../sites/api.ts';

const WHAT =
  'Then the team sees who is on the website, and on which page, before anybody opens the chat, and may write first.';

/** Nobody looks over visitors' shoulders unless the site wants it; here is how it does. */
export function SwitchedOff({ site }: { site: Site }) {
  const patch = usePatchSite(site._id);
  const switchOn = useAction(patch, { failure: 'It could not be switched on.' });
  if (!can(site, 'sites.edit')) {
    return (
      <EmptyState
        icon={EyeOff}
        title="Switched off for this website"
        text={`An admin can switch it on: Site settings, General, More, ‘Visitors now’. ${WHAT}`}
      />
    );
  }
  return (
    <EmptyState
      icon={EyeOff}
      title="Switched off for this website"
      text={`${WHAT} Say so in your privacy notice. You find the switch under General, More in the site’s settings.`}
      action={
        <Button busy={patch.isPending} onClick={() => void switchOn({ settings: { visitorPages: true } })}>
          Switch on
        </Button>
      }
    />
  );
}
