/** The letters of Hebrew, Arabic and all other scripts that are written from the right. */
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

/** In which direction a language of mails is written. */
export function directionOf(language: string | undefined): 'ltr' | 'rtl' {
  return language === 'ar' ? 'rtl' : 'ltr';
}

/** A value among the words of a sentence, which would change places with them where its letters run in the other direction. */
export function isolated(value: string, language: string | undefined): string {
  const isOther = directionOf(language) === 'rtl' ? /\p{L}|\d\D|\D\d/u.test(value) : RIGHT_TO_LEFT.test(value);
  return isOther ? `\u2068${value}\u2069` : value;
}
