import { t } from './i18n.ts';

/** An error message for what cannot be an e-mail address, or null. The server has the final check. */
export function validateEmail(typed: string): string | null {
  return /^[^\s@]+@\S+$/.test(typed.trim()) ? null : t('Enter an email address like ana@example.com');
}

/** The normalised address if it is http(s), else undefined: other schemes could run scripts. */
export function httpUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : undefined;
}
