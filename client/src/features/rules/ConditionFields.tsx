import { Plus, X } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { RULE_TEXT_MAX_LENGTH, type RuleConditions, type RuleEvent, WIDGET_LANGUAGES } from 'server/contract';
import { languageName } from '#features/articles';
import { t } from '../../lib/i18n.ts';
import { Button } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { DropdownMenu, MenuItem } from '../../ui/DropdownMenu.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Input } from '../../ui/Input.tsx';
import { Select } from '../../ui/Select.tsx';
import type { Target, Targets } from './targets.ts';
import { CONDITIONS, type ConditionName, conditionsFor, NO_DEPARTMENT, scoreWords } from './words.ts';

const SCORES = [1, 2, 3, 4, 5];

/** What a condition is when it is added. */
const EMPTY: Required<RuleConditions> = {
  words: [],
  score: 2,
  page: '',
  languages: [],
  departments: [],
  attribute: { name: '', value: '' },
  hours: 'closed',
};

interface ConditionsProps {
  event: RuleEvent;
  value: RuleConditions;
  onChange: (conditions: RuleConditions) => void;
  targets: Targets;
  error: string | undefined;
}

/** What must be so as well: conditions are added one by one, and all must hold. */
export function ConditionFields({ event, value, onChange, targets, error }: ConditionsProps) {
  const names = conditionsFor(event);
  const free = names.filter((name) => value[name] === undefined);
  const remove = (name: ConditionName) => {
    const { [name]: _, ...others } = value;
    onChange(others);
  };
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="pb-1.5 font-medium">{t('Only if')}</legend>
      {names.length > free.length ? (
        names
          .filter((name) => value[name] !== undefined)
          .map((name) => (
            <Part key={name} label={t(CONDITIONS[name])} onRemove={() => remove(name)}>
              <Condition name={name} value={value} onChange={onChange} targets={targets} />
            </Part>
          ))
      ) : (
        <p className="text-muted">{t('No conditions: it applies each time.')}</p>
      )}
      {error && (
        <p role="alert" className="text-xs font-medium text-danger">
          {error}
        </p>
      )}
      {free.length > 0 && (
        <AddMenu
          label={t('Add condition')}
          names={free}
          words={CONDITIONS}
          onAdd={(name) => onChange({ ...value, [name]: EMPTY[name] })}
        />
      )}
    </fieldset>
  );
}

interface AddMenuProps<Name extends string> {
  label: string;
  names: readonly Name[];
  words: Record<Name, string>;
  onAdd: (name: Name) => void;
}

/** A button with the conditions or actions that can be added. */
export function AddMenu<Name extends string>({ label, names, words, onAdd }: AddMenuProps<Name>) {
  return (
    <div>
      <DropdownMenu
        align="start"
        trigger={
          <Button variant="secondary" size="sm">
            <Plus size={16} aria-hidden />
            {label}
          </Button>
        }
      >
        {names.map((name) => (
          <MenuItem key={name} onSelect={() => onAdd(name)}>
            {t(words[name])}
          </MenuItem>
        ))}
      </DropdownMenu>
    </div>
  );
}

/** A condition or an action: its name, what it is about, and how it is removed. */
export function Part({
  label,
  onRemove,
  aside,
  children,
}: {
  label: string;
  onRemove: () => void;
  aside?: ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: the legend of a fieldset cannot stand in one line with buttons.
    <div role="group" aria-labelledby={id} className="rounded-card border px-3 pt-1.5 pb-3">
      <div className="flex items-center gap-1 pb-1">
        <span id={id} className="min-w-0 flex-1 text-muted">
          {label}
        </span>
        {aside}
        <IconButton label={t('Remove: {what}', { what: label })} size="sm" onClick={onRemove}>
          <X size={16} aria-hidden />
        </IconButton>
      </div>
      {children}
    </div>
  );
}

interface ConditionProps extends Pick<ConditionsProps, 'value' | 'onChange' | 'targets'> {
  name: ConditionName;
}

function Condition({ name, value, onChange, targets }: ConditionProps) {
  const { words = [], score, page, languages = [], departments = [], attribute = EMPTY.attribute, hours } = value;
  const set = (changes: RuleConditions) => onChange({ ...value, ...changes });
  switch (name) {
    case 'words':
      return <WordsField value={words} onChange={(next) => set({ words: next })} />;
    case 'score':
      return (
        <Select
          label={t(CONDITIONS.score)}
          value={String(score)}
          onValueChange={(next) => set({ score: Number(next) })}
          options={SCORES.map((each) => ({ value: String(each), label: scoreWords(each) }))}
        />
      );
    case 'page':
      return (
        <Input
          aria-label={t('Part of the page’s address')}
          inputMode="url"
          placeholder="/pricing"
          maxLength={RULE_TEXT_MAX_LENGTH}
          value={page}
          onChange={({ target }) => set({ page: target.value })}
        />
      );
    case 'languages': {
      const choices = [...new Set([...WIDGET_LANGUAGES, ...languages])];
      const named = choices.map((id) => ({ id, name: languageName(id) }));
      return <Choices choices={named} value={languages} onChange={(next) => set({ languages: next })} />;
    }
    case 'departments': {
      const choices = [...targets.departments, { id: NO_DEPARTMENT, name: t('No department') }];
      return <Choices choices={choices} value={departments} onChange={(next) => set({ departments: next })} />;
    }
    case 'attribute':
      return <AttributeField value={attribute} onChange={(next) => set({ attribute: next })} />;
    case 'hours':
      return (
        <Select
          label={t(CONDITIONS.hours)}
          value={hours ?? 'closed'}
          onValueChange={(next) => set({ hours: next })}
          options={[
            { value: 'open', label: t('Within the office hours') },
            { value: 'closed', label: t('Outside the office hours') },
          ]}
        />
      );
  }
}

/** Words, one in each line, of which one is enough. */
function WordsField({ value, onChange }: { value: string[]; onChange: (words: string[]) => void }) {
  return (
    <Input
      aria-label={t('Words, with a comma between them')}
      placeholder={t('refund, money back')}
      maxLength={RULE_TEXT_MAX_LENGTH}
      defaultValue={value.join(', ')}
      onChange={({ target }) => onChange(target.value.split(',').flatMap((word) => word.trim() || []))}
    />
  );
}

interface AttributeProps {
  value: NonNullable<RuleConditions['attribute']>;
  onChange: (attribute: NonNullable<RuleConditions['attribute']>) => void;
}

function AttributeField({ value, onChange }: AttributeProps) {
  return (
    <div className="flex flex-wrap gap-2">
      <Input
        aria-label={t('Name of the attribute')}
        placeholder={t('plan')}
        maxLength={RULE_TEXT_MAX_LENGTH}
        className="flex-1 basis-32"
        value={value.name}
        onChange={({ target }) => onChange({ ...value, name: target.value })}
      />
      <Input
        aria-label={t('Value of the attribute')}
        placeholder={t('premium')}
        maxLength={RULE_TEXT_MAX_LENGTH}
        className="flex-1 basis-32"
        value={value.value}
        onChange={({ target }) => onChange({ ...value, value: target.value })}
      />
    </div>
  );
}

interface ChoicesProps {
  choices: readonly Target[];
  value: string[];
  onChange: (ids: string[]) => void;
}

/** Some of a few, of which one is enough. What is chosen and gone is taken off by choosing anew. */
export function Choices({ choices, value, onChange }: ChoicesProps) {
  const known = value.filter((id) => choices.some((choice) => choice.id === id));
  return (
    <div className="flex max-h-48 flex-col gap-2 overflow-y-auto">
      {choices.map(({ id, name }) => (
        <Checkbox
          key={id}
          label={name}
          checked={value.includes(id)}
          onChange={({ target }) => onChange(target.checked ? [...known, id] : known.filter((each) => each !== id))}
        />
      ))}
    </div>
  );
}
