import { type FieldErrors, type FieldPath, get } from 'react-hook-form';
import {
  type Consent,
  type FlowButton,
  type Greeting,
  type LauncherIcon,
  type LauncherShape,
  type OfficeHours,
  type PreChat,
  type PreChatField,
  type SiteTexts,
  WIDGET_LANGUAGES,
  type WidgetLanguage,
  type WidgetPosition,
} from 'server/contract';
import { languageName } from '#features/articles';
import { formatCalendarDay } from '../../../lib/format.ts';
import { msg, t } from '../../../lib/i18n.ts';
import { WEEK } from '../../../shared/officeHours/officeHours.ts';
import { plainText } from '../../../shared/settingsForm/SettingsConflicts.tsx';
import { flowText } from '../flows/flowTargets.ts';
import { rulesText } from '../widget/greetingList.ts';
import { fieldName } from '../widget/preChat.ts';
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
  'settings.typingPreview': msg('What visitors are typing'),
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
  'settings.buttons': msg('Buttons'),
  'settings.greetings': msg('Greetings'),
  'settings.mainLanguage': msg('Main language'),
} satisfies { [Name in Field]?: string };

const LABELS: Record<string, string> = { ...GENERAL, ...LOOK };
const TRANSLATION = 'settings.translations.';

/** What is saved each by itself, in the order of the screen. */
export const SITE_FIELDS = [
  ...Object.keys(LABELS),
  ...WIDGET_LANGUAGES.map((language) => TRANSLATION + language),
] as Field[];

/** What a field is called. */
export function labelOf(field: string): string {
  if (!field.startsWith(TRANSLATION)) return t(LABELS[field] ?? field);
  return t('Texts in {language}', { language: languageName(field.slice(TRANSLATION.length)) });
}

/** The tab that a field is on. */
export const tabOf = (field: Field) => (field in LOOK || field.startsWith(TRANSLATION) ? 'customization' : 'general');

/** Whether something under 'More' is wrong: it must not stay folded then. */
export function hasMoreErrors(errors: FieldErrors<SiteValues>): boolean {
  return Object.keys(MORE).some((field) => get(errors, field) !== undefined);
}

/** The value of a field in words. */
export function siteText(field: string, value: unknown): string {
  const inWords = field.startsWith(TRANSLATION) ? textsInWords : WORDS[field];
  const words = value === null ? undefined : inWords?.(value as never);
  return words || plainText(value);
}

const labelIn = (choices: { value: string; label: string }[]) => (value: string) =>
  t(choices.find((choice) => choice.value === value)?.label ?? value);

const textsInWords = ({ greetings = {}, buttons = {}, fields = {}, ...plain }: SiteTexts) =>
  [
    ...Object.values(plain),
    ...Object.values(greetings),
    ...Object.values(buttons).flatMap(({ label, question }) => [label, question]),
    ...Object.values(fields).flatMap(({ label, options = [] }) => [label, ...options.map(({ text }) => text)]),
  ]
    .filter(Boolean)
    .join('\n');

const WORDS: Record<string, (value: never) => string> = {
  'customization.position': labelIn(POSITIONS),
  'settings.launcher.shape': labelIn(SHAPES),
  'settings.launcher.icon': labelIn(ICONS),
  'settings.preChat': labelIn(PRE_CHAT),
  'settings.mainLanguage': (language: WidgetLanguage) => languageName(language),
  'settings.consent': ({ text, url }: Consent) => [text, url].filter(Boolean).join('\n'),
  'settings.preChatFields': (fields: PreChatField[]) =>
    fields.map((field) => [fieldName(field), ...(field.required ? [t('Required')] : [])].join(' · ')).join('\n'),
  'settings.greetings': (greetings: Greeting[]) =>
    greetings.map((greeting) => [greeting.text, rulesText(greeting)].join(' · ')).join('\n'),
  'settings.buttons': (buttons: FlowButton[]) => flowText(buttons),
  'settings.hours': ({ timeZone, days, holidays = [] }: OfficeHours) => {
    const spans = WEEK.flatMap(({ day, name }) =>
      days.filter((span) => span.day === day).map(({ from, to }) => [t(name), `${from}–${to}`].join(' ')),
    );
    const closed = holidays.map(({ date, name, yearly }) =>
      [formatCalendarDay(date), name, yearly ? t('Every year') : t('Once')].join(' · '),
    );
    return [timeZone, ...spans, ...closed].join('\n');
  },
};
