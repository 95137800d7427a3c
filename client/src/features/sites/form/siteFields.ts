import { type FieldErrors, type FieldPath, get } from 'react-hook-form';
import type {
  Consent,
  Greeting,
  LauncherIcon,
  LauncherShape,
  OfficeHours,
  PreChat,
  PreChatField,
  WidgetPosition,
} from 'server/contract';
import { msg, t } from '../../../lib/i18n.ts';
import { plainText } from '../../../shared/settingsForm/SettingsConflicts.tsx';
import { rulesText } from '../widget/greetingList.ts';
import { fieldName } from '../widget/preChat.ts';
import { WEEK } from './officeHours.ts';
import type { SiteValues } from './siteForm.ts';

type Field = FieldPath<SiteValues>;

export const POSITIONS: { value: WidgetPosition; label: string }[] = [
  { value: 'right', label: msg('Right') },
  { value: 'left', label: msg('Left') },
];

export const SHAPES: { value: LauncherShape; label: string }[] = [
  { value: 'pill', label: msg('Pill with a text') },
  { value: 'round', label: msg('Round, icon only') },
];

export const ICONS: { value: LauncherIcon; label: string }[] = [
  { value: 'logo', label: 'Parley' },
  { value: 'bubble', label: msg('Speech bubble') },
  { value: 'headset', label: msg('Headset') },
  { value: 'question', label: msg('Question mark') },
  { value: 'envelope', label: msg('Envelope') },
  { value: 'heart', label: msg('Heart') },
];

export const PRE_CHAT: { value: PreChat; label: string; hint: string }[] = [
  { value: 'off', label: msg('Off'), hint: msg('Do not ask') },
  { value: 'optional', label: msg('Optional'), hint: msg('Ask, but visitors can skip it') },
  { value: 'required', label: msg('Required'), hint: msg('Visitors fill it in before they write') },
];

/** The labels of the fields under 'More'. */
const MORE = {
  'settings.allowedDomains': msg('Allowed domains'),
  'settings.privacyUrl': msg('Privacy notice'),
  'settings.autoCloseHours': msg('Close silent chats after (hours)'),
  'settings.retentionDays': msg('Delete chats after (days)'),
  'settings.visitorPages': msg('Visitors now'),
  'settings.maskCards': msg('Mask card numbers'),
  'settings.hours': msg('Office hours'),
  'settings.identityVerification': msg('Identity verification'),
} satisfies { [Name in Field]?: string };

/** The labels of the fields on the first tab. */
const GENERAL = {
  name: msg('Site name'),
  domain: msg('Domain'),
  'settings.autoAssign': msg('Auto-assign chats'),
  'settings.notifications': msg('Email notifications'),
  'settings.offlineMode': msg('Offline mode'),
  ...MORE,
} satisfies { [Name in Field]?: string };

/** The labels of the fields on the tab with the preview. */
const LOOK = {
  'customization.color': msg('Color'),
  'customization.position': msg('Position'),
  'customization.navbarTitle': msg('Navbar title'),
  'customization.welcomeMessage': msg('Welcome message'),
  'customization.offlineMessage': msg('Offline message'),
  'settings.launcher.shape': msg('Shape'),
  'settings.launcher.icon': msg('Icon'),
  'settings.launcher.text': msg('Text of the launcher'),
  'settings.launcher.side': msg('Distance from the side (pixels)'),
  'settings.launcher.bottom': msg('Distance from below (pixels)'),
  'settings.launcher.hideOnPhones': msg('Hide it on phones'),
  'settings.launcher.hideOffline': msg('Hide it while offline'),
  'settings.launcher.hideOn': msg('Hide it on pages'),
  'settings.preChat': msg('Form before the chat'),
  'settings.preChatFields': msg('Fields of the form'),
  'settings.consent': msg('Ask for consent'),
  'settings.greetings': msg('Greetings'),
} satisfies { [Name in Field]?: string };

const LABELS: Record<string, string> = { ...GENERAL, ...LOOK };

/** What is saved each by itself, in the order of the screen. */
export const SITE_FIELDS = Object.keys(LABELS) as Field[];

/** What a field is called. */
export const labelOf = (field: string) => t(LABELS[field] ?? field);

/** The tab that a field is on. */
export const tabOf = (field: Field) => (field in LOOK ? 'customization' : 'general');

/** Whether something under 'More' is wrong: it must not stay folded then. */
export function hasMoreErrors(errors: FieldErrors<SiteValues>): boolean {
  return Object.keys(MORE).some((field) => get(errors, field) !== undefined);
}

/** The value of a field in words. */
export function siteText(field: string, value: unknown): string {
  const words = value === null ? undefined : WORDS[field]?.(value as never);
  return words || plainText(value);
}

const labelIn = (choices: { value: string; label: string }[]) => (value: string) =>
  t(choices.find((choice) => choice.value === value)?.label ?? value);

const WORDS: Record<string, (value: never) => string> = {
  'customization.position': labelIn(POSITIONS),
  'settings.launcher.shape': labelIn(SHAPES),
  'settings.launcher.icon': labelIn(ICONS),
  'settings.preChat': labelIn(PRE_CHAT),
  'settings.consent': ({ text, url }: Consent) => [text, url].filter(Boolean).join('\n'),
  'settings.preChatFields': (fields: PreChatField[]) =>
    fields.map((field) => [fieldName(field), ...(field.required ? [t('Required')] : [])].join(' · ')).join('\n'),
  'settings.greetings': (greetings: Greeting[]) =>
    greetings.map((greeting) => [greeting.text, rulesText(greeting)].join(' · ')).join('\n'),
  'settings.hours': ({ timeZone, days }: OfficeHours) => {
    const spans = WEEK.flatMap(({ day, name }) =>
      days.filter((span) => span.day === day).map(({ from, to }) => [t(name), `${from}–${to}`].join(' ')),
    );
    return [timeZone, ...spans].join('\n');
  },
};
