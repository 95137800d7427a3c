import { useEffect, useRef } from 'react';
import { type FieldPath, type UseFormReturn, useForm } from 'react-hook-form';
import {
  CUSTOMIZATION_DEFAULTS,
  type Customization,
  SITE_SETTINGS_DEFAULTS,
  type Site,
  type SiteBody,
  type SitePatch,
  type SiteSettings,
} from 'server/contract';
import { ApiError } from '../../lib/http.ts';
import { sessionStore } from '../../lib/storage.ts';
import { tidyLauncher } from './launcher.ts';
import { tidyConsent, tidyFields } from './preChat.ts';

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
  'settings.privacyUrl',
  'settings.autoCloseHours',
  'settings.retentionDays',
  'settings.visitorPages',
  'settings.maskCards',
  'settings.identityVerification',
  'settings.hours',
] as const satisfies FieldPath<SiteValues>[];

/** The settings on the tab with the preview. */
const FORM_FIELDS = [
  'settings.preChat',
  'settings.preChatFields',
  'settings.consent',
  'settings.launcher.shape',
  'settings.launcher.icon',
  'settings.launcher.text',
  'settings.launcher.side',
  'settings.launcher.bottom',
  'settings.launcher.hideOn',
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
  ...FORM_FIELDS,
  'settings.greetings',
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
  const preChatFields = tidyFields(settings.preChatFields);
  const consent = tidyConsent(settings.consent);
  const launcher = tidyLauncher(settings.launcher);
  const body = { ...settings, allowedDomains, privacyUrl, preChatFields, consent, launcher };
  return { name: name.trim(), domain: domain.trim(), customization, settings: body };
}

/** The fields of a form that somebody has changed, by group. */
interface Changes {
  site: Partial<Pick<SiteValues, 'name' | 'domain'>>;
  customization: Partial<SiteValues['customization']>;
  settings: Partial<SiteValues['settings']>;
}

/** What the form sends: only what was changed here, so that it does not take back what another admin saves meanwhile. */
export function patchOf(values: SiteValues, base: SiteValues): SitePatch {
  const [now, before] = [bodyOf(values), bodyOf(base)];
  const customization = differing(now.customization ?? {}, before.customization ?? {});
  const settings = differing(now.settings ?? {}, before.settings ?? {});
  return {
    ...differing({ name: now.name, domain: now.domain }, { name: before.name, domain: before.domain }),
    ...(Object.keys(customization).length > 0 && { customization }),
    ...(Object.keys(settings).length > 0 && { settings }),
  };
}

/**
 * A site form whose input outlives the page: a session that ends, or a reload, does not take what was typed. Fields that
 * nobody has touched follow the server.
 * @param base the form as the server has it; the same object until that is another
 * @param storageKey names the user and the site
 */
export function useSiteForm(base: SiteValues, storageKey: string): SiteForm {
  const form = useForm<SiteValues>({ defaultValues: base });
  const { reset, subscribe, getValues } = form;
  const shown = useRef(base);
  useEffect(() => {
    const kept = read(storageKey);
    if (kept) reset(withChanges(shown.current, kept), { keepDefaultValues: true });
    return subscribe({
      formState: { values: true, isDirty: true },
      callback: ({ values, isDirty }) => {
        if (isDirty) sessionStore.set(storageKey, JSON.stringify(changesOf(values, shown.current)));
      },
    });
  }, [storageKey, reset, subscribe]);
  useEffect(() => {
    if (isSame(base, shown.current)) return;
    const mine = changesOf(getValues(), shown.current);
    shown.current = base;
    reset(base, { keepErrors: true });
    reset(withChanges(base, mine), { keepDefaultValues: true, keepErrors: true });
  }, [base, reset, getValues]);
  return form;
}

/** Lets go of what was kept: it is saved, or its writer has left it. */
export function discardInput(storageKey: string): void {
  sessionStore.remove(storageKey);
}

/** What was kept may be of an older release, whose form had other fields. */
function read(storageKey: string): Partial<Changes> | null {
  const kept = sessionStore.get(storageKey);
  return kept === null ? null : (JSON.parse(kept) as Partial<Changes>);
}

function changesOf(values: SiteValues, base: SiteValues): Changes {
  const { name, domain } = base;
  return {
    site: differing({ name: values.name, domain: values.domain }, { name, domain }),
    customization: differing(values.customization, base.customization),
    settings: differing(values.settings, base.settings),
  };
}

function withChanges(base: SiteValues, { site, customization, settings }: Partial<Changes>): SiteValues {
  return {
    ...base,
    ...site,
    customization: { ...base.customization, ...customization },
    settings: { ...base.settings, ...settings },
  };
}

/** The fields of `now` that are not as they were. */
function differing<Group extends object>(now: Group, before: Group): Partial<Group> {
  const changed = Object.entries(now).filter(([name, value]) => !isSame(value, before[name as keyof Group]));
  return Object.fromEntries(changed) as Partial<Group>;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
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

/** Whether a field is on the tab with the preview. */
export function isPreviewed(field: FieldPath<SiteValues>): boolean {
  return field.startsWith('customization') || FORM_FIELDS.some((name) => name === field);
}

/** Whether the session ended meanwhile: the screen says so itself. */
export function isSignedOut(failure: unknown): boolean {
  return failure instanceof ApiError && failure.status === 401;
}
