import files from './fonts.json' with { type: 'json' };

/** One of the ten fonts, which cover all scripts together. */
export type FontName = keyof typeof files;

/** The fonts' files, relative to the folder of fonts. */
export const FONT_FILES: Record<FontName, string> = files;

/** Scripts in which the shape of a letter depends on its neighbours: a stretch of text is set as a whole. */
export const SHAPED: ReadonlySet<FontName> = new Set(['arabic', 'hebrew', 'devanagari']);

/** Whether a font has a glyph for a character. */
export type Covers = (font: FontName, codePoint: number) => boolean;

/** A stretch of a text in one font; `end` is exclusive. */
export interface Span {
  start: number;
  end: number;
  font: FontName;
}

/** Text that one font can set from left to right, character by character. This fast path covers most texts. */
const PLAIN = /^[\x20-\x7E\u00A0-\u024F\u0400-\u045F\u2010-\u2026\u20AC]*$/;
const EMOJI = /\p{Emoji_Presentation}|\p{Regional_Indicator}|\uFE0F|\u20E3/u;
const CJK = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}\u3000-\u303F\uFF00-\uFFEF]/u;
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
const HANGUL = /\p{Script=Hangul}/u;
/** These characters choose among glyphs or join them, so a font needs no glyph for them. */
const INVISIBLE = /\u200C|\u200D|\p{Variation_Selector}/u;
const BLANK = /^\s+$/;
/** Clusters whose font is cached. */
const REMEMBERED_MAX = 20_000;

/** Splits a text by the fonts that it needs; `upright` is the font for Latin, Greek and Cyrillic. */
export type FontChooser = (text: string, upright: 'latin' | 'bold') => Span[];

/** Makes the chooser; a font is read only when a text may need it. */
export function createFontChooser(covers: Covers): FontChooser {
  const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
  const remembered = new Map<string, FontName>();

  function fontOf(cluster: string, cjk: FontName): FontName {
    const key = cjk + cluster;
    const cached = remembered.get(key);
    if (cached) return cached;
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

/** A blank takes the font before it, so that it does not split a stretch of words. */
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
