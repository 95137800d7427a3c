import { useEffect } from 'react';
import { type FieldPath, type UseFormReturn, useForm } from 'react-hook-form';
import {
  CUSTOMIZATION_DEFAULTS,
  type Customization,
  SITE_SETTINGS_DEFAULTS,
  type Site,
  type SiteBody,
} from 'server/contract';
import { ApiError } from '../../lib/api.ts';

/** What the site screens edit; the allowed domains are one text, a host a line. */
export interface SiteValues {
  name: string;
  domain: string;
  customization: Customization;
  settings: { autoAssign: boolean; notifications: boolean; offlineMode: boolean; allowedDomains: string };
}

export type SiteForm = UseFormReturn<SiteValues>;

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
  'settings.allowedDomains',
] as const satisfies FieldPath<SiteValues>[];

/** What a new site starts with. */
export const NEW_SITE: SiteValues = {
  name: '',
  domain: '',
  customization: CUSTOMIZATION_DEFAULTS,
  settings: { ...SITE_SETTINGS_DEFAULTS, allowedDomains: '' },
};

/** The form of a site as the server has it. */
export function valuesOf({ name, domain, customization, settings }: Site): SiteValues {
  return { name, domain, customization, settings: { ...settings, allowedDomains: settings.allowedDomains.join('\n') } };
}

/** What the form sends. */
export function bodyOf({ name, domain, customization, settings }: SiteValues): SiteBody {
  const allowedDomains = settings.allowedDomains.split(/[\s,]+/).filter(Boolean);
  return { name: name.trim(), domain: domain.trim(), customization, settings: { ...settings, allowedDomains } };
}

/**
 * A site form whose input outlives the page: a session that ends, or a reload, does not take what was typed.
 * @param storageKey names the user and the site; `null` keeps nothing
 */
export function useSiteForm(initial: SiteValues, storageKey: string): SiteForm {
  const form = useForm<SiteValues>({ defaultValues: initial });
  const { reset, subscribe } = form;
  useEffect(() => {
    const kept = read(storageKey);
    if (kept) reset(kept, { keepDefaultValues: true });
    return subscribe({
      formState: { values: true, isDirty: true },
      callback: ({ values, isDirty }) => {
        if (isDirty) sessionStorage.setItem(storageKey, JSON.stringify(values));
      },
    });
  }, [storageKey, reset, subscribe]);
  return form;
}

/** Lets go of what was kept: it is saved, or its writer has left it. */
export function forgetInput(storageKey: string): void {
  sessionStorage.removeItem(storageKey);
}

function read(storageKey: string): SiteValues | null {
  const kept = sessionStorage.getItem(storageKey);
  return kept === null ? null : (JSON.parse(kept) as SiteValues);
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

/** Whether the session ended meanwhile: the screen says so itself. */
export function isSignedOut(failure: unknown): boolean {
  return failure instanceof ApiError && failure.status === 401;
}
