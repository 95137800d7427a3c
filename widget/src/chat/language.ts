/** English is in the chat itself; each other language is a file of its own. */
export type OtherLanguage = 'ar' | 'de' | 'es' | 'fa' | 'fr' | 'hi' | 'ja' | 'pt' | 'ru' | 'tr' | 'zh';
export type LanguageName = 'en' | OtherLanguage;

/** The language that the chat speaks. */
export interface Language {
  name: LanguageName;
  /** For numbers, times and dates: the visitor's own region, if its language is the same. */
  locale: string;
  direction: 'ltr' | 'rtl';
  /** The file of this language could not be loaded, and English stands in for it. */
  missing: OtherLanguage | null;
}

/** The texts of the chat itself. The site's own texts come with its config. `{}` stands for a name or a number. */
export interface Texts {
  online: string;
  offline: string;
  /** How long an answer usually takes. */
  usually: string;
  talkingWith: string;
  typing: string;
  closeChat: string;
  menu: string;
  conversation: string;
  reconnecting: string;
  latest: string;
  write: string;
  send: string;
  emoji: string;
  attach: string;
  blocked: string;
  expired: string;
  today: string;
  yesterday: string;
  sending: string;
  late: string;
  sent: string;
  delivered: string;
  read: string;
  failed: string;
  retry: string;
  remove: string;
}

const english: Texts = {
  online: 'We are online',
  offline: 'We are offline right now',
  usually: 'Usually replies in {}',
  talkingWith: 'Talking with {}',
  typing: '{} is typing…',
  closeChat: 'Close chat',
  menu: 'More',
  conversation: 'Conversation',
  reconnecting: 'Reconnecting…',
  latest: 'New messages',
  write: 'Write a message…',
  send: 'Send',
  emoji: 'Emoji',
  attach: 'Attach a file',
  blocked: 'You can no longer send messages here.',
  expired: 'It could not be delivered within a day.',
  today: 'Today',
  yesterday: 'Yesterday',
  sending: 'Sending',
  late: 'Not sent yet, retrying',
  sent: 'Sent',
  delivered: 'Delivered',
  read: 'Read',
  failed: 'Not sent',
  retry: 'Retry',
  remove: 'Delete',
};

/** The current texts: English unless `chooseLanguage` set others. */
export let texts = english;

/** Replaces `{}` by a name, or by a number in the digits of the locale. */
export function format(text: string, value: string | number, locale?: string): string {
  return text.replace('{}', () => (value as number).toLocaleString(locale));
}

/** A text with a number, in the forms that the language has for it. */
export type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

/** Puts a number into the form that the language has for it. */
export function plural(forms: Forms, count: number, locale: string): string {
  return format(forms[new Intl.PluralRules(locale).select(count)] ?? forms.other, count, locale);
}

const KNOWN = 'en ar de es fa fr hi ja pt ru tr zh'.split(' ');
const RIGHT_TO_LEFT = /ar|fa/;

type LoadTexts = (name: OtherLanguage) => Promise<{ texts: Texts }>;

/** Sets the texts of the first of these language tags that the widget has, else English. */
export async function chooseLanguage(tags: readonly (string | undefined)[], load: LoadTexts): Promise<Language> {
  const wished = tags.map(nameOf).find((name) => KNOWN.includes(name)) as LanguageName | undefined;
  const other = wished === 'en' ? undefined : wished;
  const loaded = other && (await load(other).catch(() => null));
  const missing = other && !loaded ? other : null;
  const name = (loaded && other) || 'en';
  texts = loaded ? loaded.texts : english;
  return {
    name,
    missing,
    locale: nameOf(navigator.language) === name && isTag(navigator.language) ? navigator.language : name,
    direction: RIGHT_TO_LEFT.test(name) ? 'rtl' : 'ltr',
  };
}

/** Whether `Intl` takes the tag. Some systems have others, as `en-US@posix`. */
function isTag(tag: string): boolean {
  try {
    return Boolean(new Intl.Locale(tag));
  } catch {
    return false;
  }
}

/** `pt-BR` → `pt` */
function nameOf(tag = ''): string {
  return tag.toLowerCase().split(/[-_]/, 1)[0] ?? '';
}
