import files from './fonts.json' with { type: 'json' };

/** One of the ten fonts that every script is set from. */
export type FontName = keyof typeof files;

/** Their files, from the folder of fonts on. */
export const FONT_FILES: Record<FontName, string> = files;

/** In these, letters take their shape from their neighbours: a stretch of text is set as a whole. */
export const SHAPED: ReadonlySet<FontName> = new Set(['arabic', 'hebrew', 'devanagari']);

/** Whether a font has a glyph for a character. */
export type Covers = (font: FontName, codePoint: number) => boolean;

/** A stretch of a text in one font; `end` is behind it. */
export interface Span {
  start: number;
  end: number;
  font: FontName;
}

/** Text that one font sets from left to right, character by character: most of what is ever printed. */
const PLAIN = /^[\x20-\x7E\u00A0-\u024F\u0400-\u045F\u2010-\u2026\u20AC]*$/;
const EMOJI = /\p{Emoji_Presentation}|\p{Regional_Indicator}|\uFE0F|\u20E3/u;
const CJK = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}\u3000-\u303F\uFF00-\uFFEF]/u;
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
const HANGUL = /\p{Script=Hangul}/u;
/** They choose among glyphs or join them, and need none of their own. */
const INVISIBLE = /\u200C|\u200D|\p{Variation_Selector}/u;
const BLANK = /^\s+$/;
/** Clusters whose font is remembered. */
const REMEMBERED_MAX = 20_000;

/** Tells the fonts of texts; `upright` sets Latin, Greek and Cyrillic. */
export type FontChooser = (text: string, upright: 'latin' | 'bold') => Span[];

/** Makes the chooser; a font is looked into only when a text may need it. */
export function createFontChooser(covers: Covers): FontChooser {
  const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
  const remembered = new Map<string, FontName>();

  function fontOf(cluster: string, cjk: FontName): FontName {
    const key = cjk + cluster;
    const known = remembered.get(key);
    if (known) return known;
    const codePoints = [...cluster].filter((char) => !INVISIBLE.test(char)).map((char) => char.codePointAt(0) ?? 0);
    const able = candidates(cluster, cjk).find((font) => codePoints.every((codePoint) => covers(font, codePoint)));
    if (remembered.size >= REMEMBERED_MAX) remembered.clear();
    remembered.set(key, able ?? 'latin');
    return able ?? 'latin';
  }

  return (text, upright) => {
    if (PLAIN.test(text)) return [{ start: 0, end: text.length, font: upright }];
    const cjk = KANA.test(text) ? 'japanese' : HANGUL.test(text) ? 'korean' : 'chinese';
    const spans: Span[] = [];
    for (const { segment, index } of graphemes.segment(text)) {
      const last = spans.at(-1);
      const chosen = BLANK.test(segment) ? blankFont(last) : fontOf(segment, cjk);
      const font = chosen === 'latin' ? upright : chosen;
      const end = index + segment.length;
      if (last?.font === font) last.end = end;
      else spans.push({ start: index, end, font });
    }
    return spans;
  };
}

/** A blank goes on in the font before it, so that it parts no words that belong together. */
function blankFont(before: Span | undefined): FontName {
  return !before || before.font === 'emoji' ? 'latin' : before.font;
}

function candidates(cluster: string, cjk: FontName): FontName[] {
  if (EMOJI.test(cluster)) return ['emoji', 'symbols', 'latin'];
  if (/\p{scx=Arabic}/u.test(cluster)) return ['arabic', 'symbols', 'latin'];
  if (/\p{Script=Hebrew}/u.test(cluster)) return ['hebrew', 'symbols'];
  if (/\p{scx=Devanagari}/u.test(cluster)) return ['devanagari'];
  if (CJK.test(cluster)) return [cjk, 'chinese', 'japanese', 'korean'];
  return ['latin', 'symbols', 'emoji', 'chinese'];
}
