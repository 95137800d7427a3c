import type { PreChatField, SiteSettings } from '../contract.ts';
import type { DepartmentDoc } from '../departmentModel.ts';
import { allButtons } from '../flows/contract.ts';
import type { FieldTexts, SiteTexts, SiteTranslations } from './contract.ts';

/** The site's texts in other languages, without those of greetings, buttons, departments, fields and options that it has no more. */
export function currentTranslations(
  translations: SiteTranslations,
  site: Pick<SiteSettings, 'greetings' | 'buttons' | 'preChatFields'> & { departments: DepartmentDoc[] },
): SiteTranslations {
  const fields = new Map(site.preChatFields.map((field) => [field.id, field]));
  const greetings = new Set(site.greetings.map(({ id }) => id));
  const buttons = new Set(allButtons(site.buttons).map(({ id }) => id));
  const departments = new Set(site.departments.map(({ _id }) => _id.toHexString()));
  const current = (texts: SiteTexts): SiteTexts => ({
    ...texts,
    ...(texts.greetings && { greetings: entries(texts.greetings, (id, text) => (greetings.has(id) ? text : null)) }),
    ...(texts.buttons && { buttons: entries(texts.buttons, (id, button) => (buttons.has(id) ? button : null)) }),
    ...(texts.departments && {
      departments: entries(texts.departments, (id, name) => (departments.has(id) ? name : null)),
    }),
    ...(texts.fields && { fields: entries(texts.fields, (id, field) => ofField(field, fields.get(id))) }),
  });
  return entries(translations, (_, texts) => texts && current(texts));
}

function ofField({ options, ...texts }: FieldTexts, field: PreChatField | undefined): FieldTexts | null {
  const left = options?.filter(({ option }) => field?.options?.includes(option)) ?? [];
  return field ? { ...texts, ...(left.length > 0 && { options: left }) } : null;
}

/** The entries of an object whose new values are not null. */
function entries<Old, New>(object: Record<string, Old>, change: (key: string, value: Old) => New | null) {
  const changed = Object.entries(object).map(([key, value]) => [key, change(key, value)]);
  return Object.fromEntries(changed.filter(([, value]) => value !== null)) as Record<string, New>;
}
