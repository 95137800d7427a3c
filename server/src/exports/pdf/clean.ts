const LINE_BREAKS = /\r\n?|[\v\f\u0085\u2028\u2029]/g;
/** Controls, what turns the direction of others, and marks that are never seen: joiners stay, since words and emoji need them. */
const UNPRINTABLE =
  /(?!\n)[\p{Cc}\p{Bidi_Control}\p{Emoji_Modifier}\p{Noncharacter_Code_Point}\u00AD\u200B\u2060-\u2064\uFEFF\u{E0000}-\u{E007F}]/gu;
const TAB = '    ';

/** A text as a page can show it: line breaks are `\n`, every character is there to be seen or to shape its neighbours. */
export function printable(text: string): string {
  return text.toWellFormed().normalize('NFC').replace(LINE_BREAKS, '\n').replaceAll('\t', TAB).replace(UNPRINTABLE, '');
}
