import { oneLine } from './letter.ts';

/** In characters: a name, and no sentence that passes for the mail's own words. */
const NAME_MAX_LENGTH = 40;
/** Of a longer name, what stands behind is never looked at: normalising may make each character eighteen. */
const LOOKED_AT = 200;

/** What browsers and mail programs read as the dot of a domain, beside those that NFKC makes one. */
const DOTS = /[\u3002\ua4f8]/gu;
/** A dot within something that a mail program would make a link: two letters or a digit behind it, so that `J.R.R. Roe` stays. */
const DOMAIN_DOT = /(?<=[^\s.])\.+(?=\p{N}|[\p{L}\p{M}-]{2})/gu;
/** `https://`, `mailto:` and their like, and paths: AC/DC may keep its slash. */
const SCHEME = /:(?=\S)|\/{2,}|\\+/gu;

/**
 * A name that somebody chose, as a mail may say it beside its own words: one short line in which no mail program finds a link.
 * @param name as it was typed
 * @param instead said where nothing is left
 */
export function mailName(name: string | null | undefined, instead: string): string {
  const line = oneLine((name ?? '').slice(0, LOOKED_AT).normalize('NFKC'));
  const plain = oneLine(line.replace(DOTS, '.').replace(SCHEME, ' ').replace(DOMAIN_DOT, ' '));
  const characters = [...plain];
  if (characters.length <= NAME_MAX_LENGTH) return plain || instead;
  return `${characters
    .slice(0, NAME_MAX_LENGTH - 1)
    .join('')
    .trim()}…`;
}

/** What addresses of one mailbox have in common: most servers pass over what stands behind a `+`. */
export function mailboxOf(email: string): string {
  return email.toLowerCase().replace(/^([^+@]*)\+[^@]*@/, '$1@');
}
