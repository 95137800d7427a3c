import type { Attribute } from '#features/presence/contract';
import type { PreChatField } from '../contract.ts';
import { departmentsOf, type SiteWithDepartments } from '../departments.ts';
import { buttonsOf } from '../flows/buttons.ts';
import type { SiteDoc } from '../model.ts';
import { launcherOfSite, preChatView } from '../view.ts';
import { greetingsOf } from '../widget/greetings.ts';
import { distinct, type SiteTexts, toWidgetLanguage, WIDGET_LANGUAGES, withTexts } from './contract.ts';

/** The site as it speaks to visitors of a language. @param tag BCP 47; a language without texts gets the main ones */
export function siteIn<Doc extends Pick<SiteDoc, 'customization' | 'settings'> & SiteWithDepartments>(
  site: Doc,
  tag?: string,
): Doc {
  const texts = textsIn(site, tag);
  if (!texts) return site;
  const { customization, settings } = site;
  const launcher = launcherOfSite(settings);
  const [greetings, buttons] = [greetingsOf(site), buttonsOf(site)];
  const spoken = { ...settings, ...preChatView(settings), greetings, buttons, launcher };
  return { ...site, ...withTexts({ customization, settings: spoken }, texts), ...departmentsIn(site, texts) };
}

function departmentsIn(site: SiteWithDepartments, { departments: names }: SiteTexts): SiteWithDepartments {
  if (!site.departments || !names) return {};
  const list = departmentsOf(site);
  const spoken = distinct(
    list.map(({ name }) => name),
    list.map(({ _id }) => names[_id.toHexString()]),
  );
  const named = list.map((department, at) => ({ ...department, name: spoken[at] ?? department.name }));
  return { departments: { ...site.departments, list: named } };
}

function textsIn({ settings }: Pick<SiteDoc, 'settings'>, tag?: string): SiteTexts | null {
  const language = toWidgetLanguage(tag);
  if (!language || language === settings.mainLanguage) return null;
  return settings.translations?.[language] ?? null;
}

/**
 * The answers to the site's own fields under their main labels, and choices as their main options, whatever language the form
 * was in: so details, filters and exports have one column for a field.
 * @param tag the visitor's language, which decides where two languages use the same word for different fields
 */
export function mainAnswers(
  site: Pick<SiteDoc, 'customization' | 'settings'>,
  answers: Record<string, Attribute['value']>,
  tag?: string,
): Map<string, Attribute['value']> {
  const fieldsIn = (language?: string) => preChatView(siteIn(site, language).settings).preChatFields;
  const main = fieldsIn();
  const translated = WIDGET_LANGUAGES.filter((language) => textsIn(site, language));
  const versions = [fieldsIn(tag), main, ...translated.map(fieldsIn)];
  const left = new Map(Object.entries(answers));
  const found = new Map<string, Attribute['value']>();
  for (const fields of versions)
    fields.forEach(({ label }, at) => {
      const { label: name } = main[at] as PreChatField;
      const given = left.get(label);
      if (given === undefined || found.has(name)) return;
      left.delete(label);
      found.set(name, mainOption(given, at, versions));
    });
  return found;
}

/** The main option that is chosen in one of these versions of the form; what is no option, as it is. */
function mainOption(given: Attribute['value'], at: number, versions: PreChatField[][]): Attribute['value'] {
  const [, main] = versions;
  for (const fields of versions) {
    const place = fields[at]?.options?.indexOf(String(given)) ?? -1;
    if (place >= 0) return main?.[at]?.options?.[place] ?? given;
  }
  return given;
}
