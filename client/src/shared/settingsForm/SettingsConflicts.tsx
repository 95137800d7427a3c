import type { FieldValues } from 'react-hook-form';
import { t } from '../../lib/i18n.ts';
import { Button } from '../../ui/Button.tsx';
import type { SettingsForm } from './useSettingsForm.ts';

interface SettingsConflictsProps<Values extends FieldValues> {
  settings: SettingsForm<Values>;
  /** The name of a field, in the reader's language. */
  labelOf: (field: string) => string;
  /** What somebody else has saved, in words. */
  textOf?: (field: string, value: unknown) => string;
}

/** What somebody else has saved meanwhile, beside what the user has typed into the form around it. */
export function SettingsConflicts<Values extends FieldValues>({
  settings: { conflicts, takeTheirs },
  labelOf,
  textOf = (_, value) => plainText(value),
}: SettingsConflictsProps<Values>) {
  if (conflicts.length === 0) return null;
  return (
    <div role="alert" className="flex max-h-[40vh] flex-col gap-3 overflow-y-auto rounded-control bg-waiting-soft p-3">
      <p className="font-medium">{t('Somebody else has changed this meanwhile.')}</p>
      <ul className="flex flex-col gap-3">
        {conflicts.map(({ field, theirs }) => (
          <li key={field} className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
            <div className="min-w-0 flex-1">
              <p className="text-xs text-muted">{labelOf(field)}</p>
              <p dir="auto" className="whitespace-pre-line wrap-anywhere">
                {textOf(field, theirs)}
              </p>
            </div>
            <Button
              variant="secondary"
              size="sm"
              aria-label={t('Take theirs: {field}', { field: labelOf(field) })}
              onClick={() => takeTheirs(field)}
            >
              {t('Take theirs')}
            </Button>
          </li>
        ))}
      </ul>
      <Button type="submit" size="sm" className="self-end">
        {t('Save mine instead')}
      </Button>
    </div>
  );
}

/** A plain value in words. */
export function plainText(value: unknown): string {
  if (typeof value === 'boolean') return value ? t('On') : t('Off');
  if (Array.isArray(value)) return value.map(String).join('\n') || t('None');
  return value === null || value === '' ? t('None') : String(value);
}
