import { t } from '../lib/i18n.ts';

/** The options of a module's constant, with what people read of them in the language shown. */
export function translated<Option extends { label: string; hint?: string }>(options: readonly Option[]): Option[] {
  return options.map((option) => ({
    ...option,
    label: t(option.label),
    ...(option.hint && { hint: t(option.hint) }),
  }));
}
