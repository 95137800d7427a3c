/** English is in the chat itself; each other language is a file of its own. */
export type OtherLanguage = 'ar' | 'de' | 'es' | 'fa' | 'fr' | 'hi' | 'ja' | 'pt' | 'ru' | 'tr' | 'zh';
export type LanguageName = 'en' | OtherLanguage;

/** The language that the chat speaks. */
export interface Language {
  name: LanguageName;
  /** For numbers, times and dates: the visitor's own region, if its language is the same. */
  locale: string;
  direction: 'ltr' | 'rtl';
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
  unread: string;
  conversation: string;
  reconnecting: string;
  latest: string;
  write: string;
  send: string;
  emoji: string;
  attach: string;
  tooLong: string;
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
  unread: '{} unread',
  conversation: 'Conversation',
  reconnecting: 'Reconnecting…',
  latest: 'New messages',
  write: 'Write a message…',
  send: 'Send',
  emoji: 'Emoji',
  attach: 'Attach a file',
  tooLong: '{} characters too many',
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

/** Replaces `{}` by a name or a number. */
export function format(text: string, value: string | number): string {
  return text.replace('{}', () => `${value}`);
}

const KNOWN = 'en ar de es fa fr hi ja pt ru tr zh'.split(' ');
const RIGHT_TO_LEFT = /ar|fa/;

type ImportTexts = (name: OtherLanguage, attempt: number) => Promise<{ texts: Texts }>;

/** Sets the texts of the first of these language tags that the widget has, else English. */
export async function chooseLanguage(tags: readonly (string | undefined)[], load: ImportTexts): Promise<Language> {
  const wished = tags.map(nameOf).find((name) => KNOWN.includes(name)) as LanguageName | undefined;
  let name = wished ?? 'en';
  try {
    texts = name === 'en' ? english : (await load(name, 0)).texts;
  } catch {
    texts = english;
    name = 'en';
  }
  return {
    name,
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
