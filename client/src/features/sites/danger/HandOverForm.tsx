import { type FormEvent, useState } from 'react';
import toast from 'react-hot-toast';
import type { Site } from 'server/contract';
import { failureText } from '../../../lib/http.ts';
import { t } from '../../../lib/i18n.ts';
import { Field } from '../../../ui/Field.tsx';
import { FormButtons } from '../../../ui/FormButtons.tsx';
import { Select } from '../../../ui/Select.tsx';
import { useHandOver } from '../api.ts';

/** Makes another member the owner of the site. */
export function HandOverForm({ site, onDone }: { site: Site; onDone: () => void }) {
  const others = site.team.filter(({ userId }) => userId._id !== site.owner);
  const [userId, setUserId] = useState(others[0]?.userId._id ?? '');
  const hand = useHandOver(site._id);
  const chosen = others.find((entry) => entry.userId._id === userId)?.userId;

  if (!chosen) {
    return <p className="pt-5">{t('Nobody else is on the team yet. Invite somebody on the Team tab first.')}</p>;
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    hand.mutate(userId, {
      onSuccess: () => {
        toast.success(t('{site} now belongs to {owner}', { site: site.name, owner: chosen.name }));
        onDone();
      },
    });
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-5 pt-5">
      <Field
        label={t('New owner')}
        error={hand.isError ? failureText(hand.error, t('The website could not be handed over.')) : undefined}
      >
        <Select
          value={userId}
          onValueChange={setUserId}
          options={others.map(({ userId: { _id, name, email } }) => ({ value: _id, label: name, hint: email }))}
        />
      </Field>
      <FormButtons label={t('Hand Over')} variant="danger" busy={hand.isPending} onCancel={onDone} />
    </form>
  );
}
