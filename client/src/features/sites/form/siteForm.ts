import { type FieldPath, get, set } from 'react-hook-form';
import {
  CUSTOMIZATION_DEFAULTS,
  type Customization,
  SITE_SETTINGS_DEFAULTS,
  type Site,
  type SiteBody,
  type SitePatch,
  type SiteSettings,
  type SiteTexts,
  WIDGET_LANGUAGES,
  type WidgetLanguage,
} from 'server/contract';
import { ApiError } from '../../../lib/http.ts';
import { tidyButtons } from '../flows/flowTree.ts';
import { tidyLauncher } from '../widget/launcher.ts';
import { tidyConsent, tidyFields } from '../widget/preChat.ts';

/** What the site screens edit. No privacy notice is an empty one, and lists of texts are the lines of their editors. */
export interface SiteValues {
  name: string;
  domain: string;
  customization: Customization;
  settings: Omit<SiteSettings, 'privacyUrl' | 'translations'> & {
    privacyUrl: string;
    translations: Record<WidgetLanguage, SiteTexts | null>;
  };
}

/** What a new site starts with. */
export const NEW_SITE: SiteValues = {
  name: '',
  domain: '',
  customization: CUSTOMIZATION_DEFAULTS,
  settings: { ...SITE_SETTINGS_DEFAULTS, privacyUrl: '', translations: everyLanguage({}) },
};

/** Where the unsaved input for a site is kept. */
export function siteDraftKey(userId: string, site: string): string {
  return `${userId}:site:${site}`;
}

/** The form of a site as the server has it. */
export function valuesOf({ name, domain, customization, settings }: Site): SiteValues {
  const inForm = { privacyUrl: settings.privacyUrl ?? '', translations: everyLanguage(settings.translations) };
  return { name, domain, customization, settings: { ...settings, ...inForm } };
}

/** Each language is a setting of its own. */
function everyLanguage(translations: SiteSettings['translations']): SiteValues['settings']['translations'] {
  const all = WIDGET_LANGUAGES.map((language) => [language, translations[language] ?? null]);
  return Object.fromEntries(all) as SiteValues['settings']['translations'];
}

/** What the form sends. */
export function bodyOf({ name, domain, customization, settings }: SiteValues): SiteBody {
  const tidy = {
    allowedDomains: settings.allowedDomains.flatMap((line) => line.split(/[\s,]+/)).filter(Boolean),
    privacyUrl: settings.privacyUrl.trim() || null,
    preChatFields: tidyFields(settings.preChatFields),
    consent: tidyConsent(settings.consent),
    buttons: tidyButtons(settings.buttons),
    launcher: tidyLauncher(settings.launcher),
  };
  return { name: name.trim(), domain: domain.trim(), customization, settings: { ...settings, ...tidy } };
}

/** What the form sends of these fields, and what they were: the server overwrites nothing else, and nothing that is new. */
export function patchOf(values: SiteValues, base: SiteValues, changed: FieldPath<SiteValues>[]): SitePatch {
  const before = { ...base, settings: { ...base.settings, privacyUrl: base.settings.privacyUrl || null } };
  return { ...partOf(bodyOf(values), changed), base: partOf(before, changed) };
}

function partOf(body: SiteBody, fields: string[]): Partial<SiteBody> {
  const part: Partial<SiteBody> = {};
  for (const field of fields) set(part, field, get(body, field));
  return part;
}

/** Whether the session ended meanwhile: the screen says so itself. */
export function isSignedOut(failure: unknown): boolean {
  return failure instanceof ApiError && failure.status === 401;
}
