import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import toast from 'react-hot-toast';
import type { SettingsPatch, SettingsSection } from 'server/contract';
import { useAuth } from '../../lib/auth.tsx';
import { failureText } from '../../lib/http.ts';
import { type SettingsForm, useSettingsForm } from '../../shared/settingsForm/useSettingsForm.ts';
import { useSaveSettings } from './api.ts';

interface AccountFormOptions<Values extends FieldValues> {
  section: SettingsSection;
  /** As the server has them; the same object until they are others. */
  values: Values;
  fields: readonly FieldPath<Values>[];
  /** The section's data that saves these fields; left out: the values themselves, by their names. */
  dataOf?: (values: Values, changed: readonly string[]) => object;
  /** Sentences for a toast. */
  saved: string;
  failed: string;
  onSaved?: (form: UseFormReturn<Values>) => void;
  /** The field of a refusal that names none. */
  fieldOf?: (failure: unknown) => FieldPath<Values> | undefined;
}

/** Where the unsaved input of an account's settings is kept. */
export function accountDraftKey(userId: string | undefined, section = ''): string {
  return `${userId ?? ''}:settings:${section}`;
}

/** The form of one section of an account's settings. It sends only what was changed here. */
export function useAccountForm<Values extends FieldValues>({
  section,
  dataOf = (values, changed) => Object.fromEntries(changed.map((name) => [name, values[name]])),
  saved,
  failed,
  onSaved,
  fieldOf,
  ...options
}: AccountFormOptions<Values>): SettingsForm<Values> {
  const { user } = useAuth();
  const save = useSaveSettings();
  const settings = useSettingsForm<Values, unknown>({
    ...options,
    draftKey: accountDraftKey(user?._id, section),
    save: (values, _, changed) => save.mutateAsync({ section, data: dataOf(values, changed) } as SettingsPatch),
    onSaved: () => {
      toast.success(saved);
      onSaved?.(settings.form);
    },
    onFailed: (failure, first = fieldOf?.(failure)) => {
      const { setError, setFocus, getFieldState } = settings.form;
      if (!first) return void toast.error(failureText(failure, failed));
      if (!getFieldState(first).error) setError(first, { message: failureText(failure, failed) });
      setFocus(first);
    },
  });
  return settings;
}
