import { type CannedReply, can, type QuickReplySettings, type Site } from 'server/contract';
import { useCannedReplies } from '#features/replies';
import { t } from '../../lib/i18n.ts';
import { useSites } from '../../shared/sites.ts';
import { Field } from '../../ui/Field.tsx';
import { Select } from '../../ui/Select.tsx';
import { useSaveAtOnce } from './api.ts';

const NONE = 'none';

/** Which canned reply the notifications of each website offer to send; saved at once. */
export function QuickReplies({ bySite }: QuickReplySettings) {
  const sites = (useSites().data ?? []).filter((site) => can(site, 'chats.reply'));
  const { save } = useSaveAtOnce();
  const choose = (site: Site, id: string) =>
    void save({ section: 'quickReplies', data: { bySite: { [site._id]: id === NONE ? null : id } } });
  if (sites.length === 0) return null;
  return (
    <section aria-labelledby="quick-reply" className="mt-10 flex max-w-xl flex-col gap-4">
      <div className="flex flex-col gap-1">
        <h2 id="quick-reply" className="text-base font-semibold">
          {t('Quick reply')}
        </h2>
        <p className="text-pretty text-muted">
          {t(
            'Notifications have a button to claim a waiting chat, also on the lock screen of a phone. With a quick reply they get one that claims and answers it. Mails have links for the same.',
          )}
        </p>
      </div>
      {sites.map((site) => (
        <QuickReply key={site._id} site={site} chosen={bySite[site._id]} onChoose={(id) => choose(site, id)} />
      ))}
    </section>
  );
}

interface QuickReplyProps {
  site: Site;
  chosen: string | undefined;
  onChoose: (id: string) => void;
}

function QuickReply({ site, chosen, onChoose }: QuickReplyProps) {
  const { data, isError, refetch } = useCannedReplies(site._id, true);
  const options = [{ value: NONE, label: t('None') }, ...(data ?? []).filter(isQuick).map(optionOf)];
  // The one that was chosen may have been deleted since.
  const value = options.find((option) => option.value === chosen)?.value ?? NONE;
  const hasFailed = isError && !data;
  const retry = (
    <button type="button" onClick={() => void refetch()} className="font-medium text-accent hover:underline">
      {t('Try again')}
    </button>
  );
  return (
    <Field
      label={site.name}
      hint={data && options.length === 1 && t('There are no canned replies yet. Type / in a chat to add one.')}
      error={hasFailed ? t('The canned replies could not be loaded.') : undefined}
      aside={hasFailed && retry}
    >
      <Select value={value} onValueChange={onChoose} options={options} disabled={!data} />
    </Field>
  );
}

/** A notification sends no files. */
const isQuick = ({ files }: CannedReply) => files.length === 0;

const optionOf = ({ _id, shortcut, content }: CannedReply) => ({ value: _id, label: `/${shortcut}`, hint: content });
