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
const english = {
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
  sending: 'Sending',
  late: 'Not sent yet, retrying',
  sent: 'Sent',
  delivered: 'Delivered',
  read: 'Read',
  failed: 'Not sent',
};

export type Texts = typeof english;

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
/** The language tags that `Intl` takes. Some systems have others, as `en-US@posix`. */
const TAG = /^[a-z]+(-[a-z\d]{2,8})*$/i;

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
    locale: nameOf(navigator.language) === name && TAG.test(navigator.language) ? navigator.language : name,
    direction: RIGHT_TO_LEFT.test(name) ? 'rtl' : 'ltr',
  };
}

/** `pt-BR` → `pt` */
function nameOf(tag = ''): string {
  return tag.toLowerCase().split(/[-_]/, 1)[0] ?? '';
}
