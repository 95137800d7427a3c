import { DEFAULT_CHOICES, useTags } from '#features/chats';
import { useDepartmentsOf } from '#features/departments';
import { useEverybody } from '#features/team';
import { msg, t } from '../../../lib/i18n.ts';
import { translated } from '../../../shared/translated.ts';
import { Button } from '../../../ui/Button.tsx';
import { Sheet } from '../../../ui/Dialog.tsx';
import { Field } from '../../../ui/Field.tsx';
import { Select } from '../../../ui/Select.tsx';
import { Switch } from '../../../ui/Switch.tsx';
import { agentName, departmentLabel, type FilterProps } from './FilterChips.tsx';

/** Stands for 'not filtered' in a select, whose values may not be empty. */
const ALL = 'all';
const SORTS = [
  { value: 'activity', label: msg('Latest activity') },
  { value: 'waiting', label: msg('Longest waiting') },
] as const;

interface FilterSheetProps extends FilterProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onSave: () => void;
}

/** All filters. They take effect at once, behind the sheet. */
export function FilterSheet({ open, onOpenChange, onSave, ...filters }: FilterSheetProps) {
  return (
    <Sheet open={open} onOpenChange={onOpenChange} title={t('Filter chats')}>
      <FilterFields {...filters} />
      <div className="flex flex-wrap gap-2 pt-6">
        <Button variant="ghost" className="me-auto" onClick={() => filters.onChoose(DEFAULT_CHOICES)}>
          {t('Clear all')}
        </Button>
        <Button
          variant="secondary"
          onClick={() => {
            onOpenChange(false);
            onSave();
          }}
        >
          {t('Save view')}
        </Button>
        <Button onClick={() => onOpenChange(false)}>{t('Done')}</Button>
      </div>
    </Sheet>
  );
}

function FilterFields({ choices, sites, userId, onChoose }: FilterProps) {
  const people = useEverybody();
  const tags = useTags(choices.site);
  const { agent, tag, department } = choices;
  const departments = useDepartmentsOf(choices.site === null ? sites.map(({ _id }) => _id) : [choices.site]);
  const agents = [
    { value: ALL, label: t('Anybody') },
    { value: 'me', label: t('Me') },
    { value: 'none', label: t('Unassigned') },
    ...withChosen(
      (people.data ?? []).filter(({ _id }) => _id !== userId).map(({ _id, name }) => ({ value: _id, label: name })),
      agent === null || agent === 'me' || agent === 'none'
        ? null
        : { value: agent, label: agentName(agent, people.data ?? [], userId) },
    ),
  ];
  return (
    <div className="flex flex-col gap-4 pt-4">
      {sites.length > 1 && (
        <Field label={t('Website')}>
          <Select
            value={choices.site ?? ALL}
            onValueChange={(site) => onChoose({ site: site === ALL ? null : site })}
            options={[
              { value: ALL, label: t('All websites') },
              ...sites.map((site) => ({ value: site._id, label: site.name })),
            ]}
          />
        </Field>
      )}
      <Field label={t('Agent')} error={people.isError ? t('The team could not be loaded.') : undefined}>
        <Select
          value={agent ?? ALL}
          onValueChange={(next) => onChoose({ agent: next === ALL ? null : next })}
          options={agents}
        />
      </Field>
      <Field label={t('Tag')} error={tags.isError ? t('The tags could not be loaded.') : undefined}>
        <Select
          // A tag may have the name of the choice for all.
          value={tag === null ? ALL : `#${tag}`}
          onValueChange={(next) => onChoose({ tag: next === ALL ? null : next.slice(1) })}
          options={[
            { value: ALL, label: t('Any, or none') },
            ...withChosen((tags.data ?? []).map(tagOption), tag === null ? null : tagOption(tag)),
          ]}
        />
      </Field>
      {(departments.length > 0 || department !== null) && (
        <Field label={t('Department')}>
          <Select
            value={department ?? ALL}
            onValueChange={(next) => onChoose({ department: next === ALL ? null : next })}
            options={[
              { value: ALL, label: t('Any, or none') },
              { value: 'none', label: t('No department') },
              ...withChosen(
                departments.map(({ _id, name }) => ({ value: _id, label: name })),
                department === null || department === 'none'
                  ? null
                  : { value: department, label: departmentLabel(department, departments) },
              ),
            ]}
          />
        </Field>
      )}
      <Field label={t('Sort by')}>
        <Select
          value={choices.sort}
          onValueChange={(sort) => onChoose({ sort })}
          options={translated(SORTS)}
          // Search results have their own order.
          disabled={choices.search !== ''}
        />
      </Field>
      <div className="flex items-center justify-between gap-3">
        <span aria-hidden className="font-medium">
          {t('Only unread')}
        </span>
        <Switch label={t('Only unread')} checked={choices.unread} onCheckedChange={(unread) => onChoose({ unread })} />
      </div>
    </div>
  );
}

interface Option {
  value: string;
  label: string;
}

const tagOption = (tag: string): Option => ({ value: `#${tag}`, label: tag });

/** The options with the chosen one, which may be of an old address or beyond what the server offers. */
function withChosen(options: Option[], chosen: Option | null): Option[] {
  return chosen && options.every(({ value }) => value !== chosen.value) ? [...options, chosen] : options;
}
