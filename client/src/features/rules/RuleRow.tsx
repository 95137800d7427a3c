import { useState } from 'react';
import type { Rule, Site } from 'server/contract';
import { t } from '../../lib/i18n.ts';
import { useAction } from '../../shared/useAction.ts';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { MoveButtons } from '../../ui/MoveButtons.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { useChangeRules } from './api.ts';
import { isBroken, type Targets } from './targets.ts';
import { actionWords, conditionWords, eventWords } from './words.ts';

interface RowProps {
  site: Site;
  rule: Rule;
  targets: Targets;
  onEdit: () => void;
  /** Shows what it did. */
  onLog: () => void;
  /** Moves it up the list; left out for the first. */
  onUp: (() => void) | undefined;
  onDown: (() => void) | undefined;
}

/** One rule as one reads it, and what can be done with it. */
export function RuleRow({ site, rule, targets, onEdit, onLog, onUp, onDown }: RowProps) {
  const [deleting, setDeleting] = useState(false);
  const { _id, name, enabled, conditions, actions, rev } = rule;
  const changing = useChangeRules(site._id);
  const change = useAction(changing, { failure: t('The rule could not be saved.') });
  const remove = useAction(changing, {
    success: t('The rule is deleted'),
    failure: t('The rule could not be deleted.'),
    onSuccess: () => setDeleting(false),
  });
  const only = conditionWords(conditions, targets);
  return (
    <li aria-label={name} className="flex flex-col gap-2 px-4 py-3">
      <div className="flex items-center gap-3">
        <h3 dir="auto" className="min-w-0 flex-1 text-left font-semibold wrap-anywhere rtl:text-right">
          {name}
        </h3>
        <Switch
          label={t('Apply {name}', { name })}
          checked={enabled}
          disabled={changing.isPending}
          onCheckedChange={(next) => void change({ do: 'change', id: _id, body: { enabled: next, rev } })}
        />
      </div>
      <dl className="flex flex-col gap-1">
        <Line term={t('When')} lines={[eventWords(rule)]} />
        {only.length > 0 && <Line term={t('Only if')} lines={only} />}
        <Line
          term={t('Then')}
          lines={actions.map((action) => actionWords(action, targets))}
          broken={actions.map((action) => isBroken(action, targets))}
        />
      </dl>
      <div className="-ms-2 flex flex-wrap items-center gap-1">
        <MoveButtons name={name} onUp={onUp} onDown={onDown} />
        <Button variant="secondary" size="sm" aria-label={t('Edit {name}', { name })} onClick={onEdit}>
          {t('Edit')}
        </Button>
        <Button variant="ghost" size="sm" aria-label={t('Log of {name}', { name })} onClick={onLog}>
          {t('Log')}
        </Button>
        <Button variant="ghost" size="sm" aria-label={t('Delete {name}', { name })} onClick={() => setDeleting(true)}>
          {t('Delete')}
        </Button>
      </div>
      <ConfirmDialog
        open={deleting}
        onOpenChange={setDeleting}
        title={t('Delete rule')}
        text={t('{name} does nothing from then on. What it did stays, also in the log.', { name })}
        confirmLabel={t('Delete')}
        onConfirm={() => void remove({ do: 'remove', id: _id })}
        busy={changing.isPending}
      />
    </li>
  );
}

/** A part of the rule. @param broken which of the lines are about something that is gone */
function Line({ term, lines, broken = [] }: { term: string; lines: string[]; broken?: boolean[] }) {
  return (
    <div className="flex gap-3">
      <dt className="w-20 shrink-0 text-muted">{term}</dt>
      <dd className="min-w-0 flex-1">
        {lines.map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two actions may read alike, and each keeps nothing.
          <p key={at} className="wrap-anywhere first-letter:uppercase">
            {line}
            {broken[at] && (
              <span className="block text-xs font-medium text-danger">
                {t('What was chosen does not exist any more.')}
              </span>
            )}
          </p>
        ))}
      </dd>
    </div>
  );
}
