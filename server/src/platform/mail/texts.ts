/**
 * The texts of mails, in the language of who reads them. As in the dashboard, the English text is the key of its
 * translations, which are in locales/, a text is a whole sentence, and `mailText('to be open|verb')` has a note after a bar.
 */
import ar from './locales/ar.json' with { type: 'json' };
import de from './locales/de.json' with { type: 'json' };
import es from './locales/es.json' with { type: 'json' };
import fr from './locales/fr.json' with { type: 'json' };
import pt from './locales/pt.json' with { type: 'json' };
import { isolated, type MailContent, type MailLink, oneLine } from './template.ts';

declare const MADE: unique symbol;

type MailValues = Record<string, string | number | MailText>;

/** A text of a mail, for any language. Only the two functions below make it, so that the check of texts finds all. */
export interface MailText {
  [MADE]: true;
  text: string;
  /** In English, for a count of one. */
  one?: string;
  values: MailValues;
}

/** A mail as it is written, for a reader of any language. */
export type MailDraft = MailContent<MailText>;

/** A text with values in its placeholders; a value may be a text itself. */
export function mailText(text: string, values: MailValues = {}): MailText {
  return { text, values } as MailText;
}

/** A text with a count in it. @param one in English, of one @param other in English, of several; the key */
export function mailPlural(count: number, one: string, other: string, values: MailValues = {}): MailText {
  const all: MailValues = { count, ...values };
  return { one, text: other, values: all } as MailText;
}

/** A translation, or one for each plural form of the language. */
type Entry = string | Partial<Record<Intl.LDMLPluralRule, string>>;

const CATALOGUES: Record<string, Record<string, Entry>> = { ar, de, es, fr, pt };

/** The text in a language of mails. */
export function inLanguage({ text, one, values }: MailText, language = 'en'): string {
  const entry = CATALOGUES[language]?.[text];
  const count = Number(values.count);
  const form = new Intl.PluralRules(language).select(count);
  const translated = typeof entry === 'object' ? (entry[form] ?? entry.other) : entry;
  const english = one !== undefined && count === 1 ? one : text.replace(/\|\w+$/, '');
  return (translated ?? english).replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = values[name] ?? placeholder;
    if (typeof value === 'number') return value.toLocaleString(language);
    return typeof value === 'string' ? isolated(oneLine(value), language) : inLanguage(value, language);
  });
}

/** What a mail says in our own words, in the language of its reader: all but what it quotes, and the addresses of its links. */
export function ownWords(mail: MailDraft): string[] {
  const { text, action, moreActions = [], footer } = written(mail);
  const links = [...(action ? [action] : []), ...moreActions];
  const lines = text.flatMap((part) => {
    if (typeof part === 'string') return part;
    return 'links' in part ? part.links.map(({ label }) => label) : part.by;
  });
  return [...lines, ...links.map(({ label }) => label), footer].map(oneLine);
}

/** The mail in the language of its reader. */
export function written(mail: MailDraft): MailContent {
  const { fromName, above, action, moreActions, language: wanted = 'en', ...draft } = mail;
  const language = Object.hasOwn(CATALOGUES, wanted) ? wanted : 'en';
  const say = (text: string | MailText) => (typeof text === 'string' ? text : inLanguage(text, language));
  const link = ({ label, path }: MailLink<MailText>) => ({ label: say(label), path });
  const parts = draft.text.map((part) => {
    if ('links' in part) return { links: part.links.map(link) };
    return 'by' in part ? { ...part, by: say(part.by) } : say(part);
  });
  return {
    ...draft,
    language,
    ...(fromName !== undefined && { fromName: say(fromName) }),
    subject: say(draft.subject),
    ...(above && { above: say(above) }),
    text: parts,
    ...(action && { action: link(action) }),
    ...(moreActions && { moreActions: moreActions.map(link) }),
    footer: say(draft.footer),
  };
}
