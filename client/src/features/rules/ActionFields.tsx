import { ArrowUp } from 'lucide-react';
import { RULE_ACTIONS_MAX, type RuleAction, TAG_MAX_LENGTH } from 'server/contract';
import { useTags } from '#features/chats';
import { t } from '../../lib/i18n.ts';
import { IconButton } from '../../ui/IconButton.tsx';
import { Input } from '../../ui/Input.tsx';
import { Select } from '../../ui/Select.tsx';
import { AddMenu, Choices, Part } from './ConditionFields.tsx';
import { isBroken, type Target, type Targets } from './targets.ts';
import { ACTION_NAMES, ACTIONS, type ActionName, durations } from './words.ts';

/** The choices for how long a chat is snoozed, in minutes. */
const SNOOZE_MINUTES = [15, 60, 240, 1_440, 2_880, 10_080];

/** What an action is when it is added. */
const EMPTY: { [Name in ActionName]: Extract<RuleAction, { do: Name }> } = {
  department: { do: 'department', department: '' },
  assign: { do: 'assign', member: '' },
  tag: { do: 'tag', tag: '' },
  reply: { do: 'reply', reply: '' },
  mail: { do: 'mail', members: [] },
  snooze: { do: 'snooze', minutes: 60 },
  webhook: { do: 'webhook', webhook: '' },
};

interface ActionsProps {
  siteId: string;
  value: RuleAction[];
  onChange: (actions: RuleAction[]) => void;
  targets: Targets;
  error: string | undefined;
}

/** What a rule does, in order. */
export function ActionFields({ siteId, value, onChange, targets, error }: ActionsProps) {
  const swap = (at: number) => {
    const [moved] = value.slice(at, at + 1);
    if (moved) onChange(value.toSpliced(at, 1).toSpliced(at - 1, 0, moved));
  };
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="pb-1.5 font-medium">{t('Then')}</legend>
      {value.map((action, at) => {
        const name = t(ACTIONS[action.do]);
        return (
          <Part
            // biome-ignore lint/suspicious/noArrayIndexKey: two actions may be equal, and each keeps nothing but its value.
            key={`${at} ${action.do}`}
            label={name}
            onRemove={() => onChange(value.toSpliced(at, 1))}
            aside={
              <IconButton
                label={t('Move up: {what}', { what: name })}
                size="sm"
                disabled={at === 0}
                onClick={() => swap(at)}
              >
                <ArrowUp size={16} aria-hidden />
              </IconButton>
            }
          >
            <Action
              siteId={siteId}
              action={action}
              onChange={(next) => onChange(value.with(at, next))}
              targets={targets}
            />
          </Part>
        );
      })}
      {error && (
        <p role="alert" className="text-xs font-medium text-danger">
          {error}
        </p>
      )}
      {value.length < RULE_ACTIONS_MAX ? (
        <AddMenu
          label={t('Add action')}
          names={ACTION_NAMES}
          words={ACTIONS}
          onAdd={(name) => onChange([...value, EMPTY[name]])}
        />
      ) : (
        <p className="text-muted">{t('A rule can have up to {max} actions.', { max: RULE_ACTIONS_MAX })}</p>
      )}
    </fieldset>
  );
}

interface ActionProps {
  siteId: string;
  action: RuleAction;
  onChange: (action: RuleAction) => void;
  targets: Targets;
}

function Action({ siteId, action, onChange, targets }: ActionProps) {
  const isGone = !Object.values(action).includes('') && isBroken(action, targets);
  const pick = (of: readonly Target[], value: string, none: string, choose: (id: string) => RuleAction) => (
    <Picker of={of} value={value} none={none} isGone={isGone} onChange={(id) => onChange(choose(id))} />
  );
  switch (action.do) {
    case 'department':
      return pick(targets.departments, action.department, t('This website has no departments.'), (department) => ({
        do: 'department',
        department,
      }));
    case 'assign':
      return pick(targets.members, action.member, t('Nobody of the team may answer.'), (member) => ({
        do: 'assign',
        member,
      }));
    case 'reply':
      return pick(targets.replies, action.reply, t('The team has no canned replies.'), (reply) => ({
        do: 'reply',
        reply,
      }));
    case 'webhook':
      return pick(targets.webhooks, action.webhook, t('This website has no webhooks.'), (webhook) => ({
        do: 'webhook',
        webhook,
      }));
    case 'mail':
      return (
        <Choices
          choices={targets.members}
          value={action.members}
          onChange={(members) => onChange({ do: 'mail', members })}
        />
      );
    case 'snooze':
      return (
        <Select
          label={t('For')}
          value={String(action.minutes)}
          onValueChange={(next) => onChange({ do: 'snooze', minutes: Number(next) })}
          options={durations(SNOOZE_MINUTES, action.minutes)}
        />
      );
    case 'tag':
      return <TagField siteId={siteId} value={action.tag} onChange={(tag) => onChange({ do: 'tag', tag })} />;
  }
}

interface PickerProps {
  of: readonly Target[];
  value: string;
  /** Said where there is nothing to choose. */
  none: string;
  isGone: boolean;
  onChange: (id: string) => void;
}

/** One of the site's departments, members, canned replies or webhooks. */
function Picker({ of, value, none, isGone, onChange }: PickerProps) {
  if (of.length === 0) return <p className="text-muted">{none}</p>;
  return (
    <>
      <Select
        label={t('Which one')}
        placeholder={t('Choose')}
        value={value}
        onValueChange={onChange}
        options={of.map(({ id, name }) => ({ value: id, label: name }))}
      />
      {isGone && (
        <p className="pt-1.5 text-xs font-medium text-danger">{t('What was chosen does not exist any more.')}</p>
      )}
    </>
  );
}

function TagField({ siteId, value, onChange }: { siteId: string; value: string; onChange: (tag: string) => void }) {
  const { data: tags = [] } = useTags(siteId);
  const list = `tags-of-${siteId}`;
  return (
    <>
      <Input
        aria-label={t('Tag')}
        list={list}
        maxLength={TAG_MAX_LENGTH}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
      <datalist id={list}>
        {tags.map((tag) => (
          <option key={tag} value={tag} />
        ))}
      </datalist>
    </>
  );
}
