import { useEffect } from 'react';
import { type FieldPath, type UseFormReturn, useForm } from 'react-hook-form';
import {
  CUSTOMIZATION_DEFAULTS,
  type Customization,
  SITE_SETTINGS_DEFAULTS,
  type Site,
  type SiteBody,
  type SiteSettings,
} from 'server/contract';
import { ApiError } from '../../lib/api.ts';

/** What the site screens edit; the allowed domains are one text, a host a line, and no privacy notice is an empty one. */
export interface SiteValues {
  name: string;
  domain: string;
  customization: Customization;
  settings: Omit<SiteSettings, 'allowedDomains' | 'privacyUrl'> & { allowedDomains: string; privacyUrl: string };
}

export type SiteForm = UseFormReturn<SiteValues>;

const MORE_FIELDS = [
  'settings.allowedDomains',
  'settings.preChat',
  'settings.privacyUrl',
  'settings.autoCloseHours',
  'settings.retentionDays',
  'settings.visitorPages',
  'settings.identityVerification',
  'settings.hours',
] as const satisfies FieldPath<SiteValues>[];

const FIELDS = [
  'name',
  'domain',
  'customization.color',
  'customization.position',
  'customization.navbarTitle',
  'customization.welcomeMessage',
  'customization.offlineMessage',
  'settings.autoAssign',
  'settings.notifications',
  'settings.offlineMode',
  ...MORE_FIELDS,
] as const satisfies FieldPath<SiteValues>[];

/** What a new site starts with. */
export const NEW_SITE: SiteValues = {
  name: '',
  domain: '',
  customization: CUSTOMIZATION_DEFAULTS,
  settings: { ...SITE_SETTINGS_DEFAULTS, allowedDomains: '', privacyUrl: '' },
};

/** The form of a site as the server has it. */
export function valuesOf({ name, domain, customization, settings }: Site): SiteValues {
  const { allowedDomains, privacyUrl } = settings;
  const texts = { allowedDomains: allowedDomains.join('\n'), privacyUrl: privacyUrl ?? '' };
  return { name, domain, customization, settings: { ...settings, ...texts } };
}

/** What the form sends. */
export function bodyOf({ name, domain, customization, settings }: SiteValues): SiteBody {
  const allowedDomains = settings.allowedDomains.split(/[\s,]+/).filter(Boolean);
  const privacyUrl = settings.privacyUrl.trim() || null;
  const body = { ...settings, allowedDomains, privacyUrl };
  return { name: name.trim(), domain: domain.trim(), customization, settings: body };
}

/**
 * A site form whose input outlives the page: a session that ends, or a reload, does not take what was typed.
 * @param storageKey names the user and the site
 */
export function useSiteForm(initial: SiteValues, storageKey: string): SiteForm {
  const form = useForm<SiteValues>({ defaultValues: initial });
  const { reset, subscribe, getValues } = form;
  useEffect(() => {
    const kept = read(storageKey, getValues());
    if (kept) reset(kept, { keepDefaultValues: true });
    return subscribe({
      formState: { values: true, isDirty: true },
      callback: ({ values, isDirty }) => {
        if (isDirty) sessionStorage.setItem(storageKey, JSON.stringify(values));
      },
    });
  }, [storageKey, reset, subscribe, getValues]);
  return form;
}

/** Lets go of what was kept: it is saved, or its writer has left it. */
export function forgetInput(storageKey: string): void {
  sessionStorage.removeItem(storageKey);
}

/** What was kept may be of an older release, whose form had fewer fields. */
function read(storageKey: string, initial: SiteValues): SiteValues | null {
  const kept = sessionStorage.getItem(storageKey);
  if (kept === null) return null;
  const { customization, settings, ...rest } = JSON.parse(kept) as Partial<SiteValues>;
  return {
    ...initial,
    ...rest,
    customization: { ...initial.customization, ...customization },
    settings: { ...initial.settings, ...settings },
  };
}

/** Shows a refusal at the fields it names; answers the first of them. */
export function showFieldErrors(form: SiteForm, failure: unknown): FieldPath<SiteValues> | undefined {
  if (!(failure instanceof ApiError)) return undefined;
  const wrong = failure.errors.flatMap(({ path, msg }) => {
    const name = FIELDS.find((field) => path === field || path.startsWith(`${field}[`) || path.startsWith(`${field}.`));
    return name ? [{ name, msg }] : [];
  });
  for (const { name, msg } of wrong.toReversed()) form.setError(name, { message: msg });
  return wrong[0]?.name;
}

/** Whether something under 'More' is wrong: it must not stay folded then. */
export function hasMoreErrors({ getFieldState, formState }: SiteForm): boolean {
  return MORE_FIELDS.some((name) => getFieldState(name, formState).invalid);
}

/** Whether the session ended meanwhile: the screen says so itself. */
export function isSignedOut(failure: unknown): boolean {
  return failure instanceof ApiError && failure.status === 401;
}
