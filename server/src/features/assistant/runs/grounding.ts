import { QUESTION_WORDS, wordReader } from '#features/knowledge';
import { normalized } from '#platform/text';

/** Of the words of a sentence that say something, so many must stand in what it is made of. */
const SHARE = 0.75;
/** And more than so many of them in one published sentence. */
const SHARE_OF_ONE = 0.5;
const BETWEEN_SENTENCES = /(?<=[.!?؟।]\s)|(?<=[。！？])/u;
const FIGURE = /\p{N}+(?:[.,:/-]\p{N}+)*/gu;
/** What a plain answer has none of: tags, code, links, addresses. */
const NOT_PLAIN = /[<>`]|\]\(|:\/\/|\S@\S|\p{L}\.\p{Ll}{2,}(?:\/|\b)/u;
/** By language: what turns the meaning of a sentence round. */
const NEGATIONS: Record<string, RegExp> = {
  ar: /(?:^|\s)(?:لا|ليس|ليست|لن|لم|غير|بدون|دون)(?=\s|$)/u,
  de: /\b(?:nicht|kein\p{L}*|nie|niemals|ohne|ausgenommen|ausgeschlossen)\b/iu,
  en: /\b(?:not|no|never|none|without|cannot|excluded|except)\b|n['’]t\b/iu,
  es: /\b(?:no|nunca|ning\p{L}+|sin|salvo|excepto)\b/iu,
  fa: /(?:^|\s)(?:نیست|نمی\p{L}*|بدون|هیچ)(?=\s|$)/u,
  fr: /\b(?:pas|jamais|aucune?|sans|sauf|ni)\b/iu,
  hi: /(?:नहीं|न|बिना)(?=\s|$)/u,
  ja: /ない|ません|ず[、。]|不可/u,
  pt: /\b(?:não|nunca|nenhum\p{L}*|sem|exceto)\b/iu,
  ru: /(?:^|\s)(?:не|нет|нельзя|никогда|без|кроме)(?=\s|$|[.,!?])/iu,
  tr: /\b(?:değil|yok|hiç|hariç)\b|\p{L}m[ae](?:z|yiz|yız|zsınız|zsiniz)\b/iu,
  zh: /不|没|無|无|非|除外/u,
};

/** Makes what says whether a sentence stands in published texts. */
export function groundingIn(texts: readonly string[], lang: string): (sentence: string) => boolean {
  const read = wordReader(lang);
  const stemsOf = (text: string) => new Set(read(text).map(({ stem }) => stem));
  const common = stemsOf(QUESTION_WORDS[lang] ?? '');
  const sentences = texts
    .flatMap((text) => text.split(BETWEEN_SENTENCES))
    .map((text) => ({ text, stems: stemsOf(text) }));
  const published = new Set(sentences.flatMap(({ stems }) => [...stems]));
  const figuresOf = (text: string) => normalized(text, 'NFKC').match(FIGURE) ?? [];
  const figures = new Set(texts.flatMap(figuresOf));
  const isNegative = (text: string) => NEGATIONS[lang]?.test(text) ?? false;

  return (sentence) => {
    if (NOT_PLAIN.test(sentence)) return false;
    if (!figuresOf(sentence).every((figure) => figures.has(figure))) return false;
    const said = [...stemsOf(sentence)].filter((stem) => !common.has(stem));
    const shareIn = (stems: ReadonlySet<string>) => said.filter((stem) => stems.has(stem)).length / said.length;
    if (said.length === 0 || shareIn(published) < SHARE) return false;
    const near = sentences.map(({ text, stems }) => ({ text, share: shareIn(stems) }));
    const best = Math.max(...near.map(({ share }) => share));
    return (
      best > SHARE_OF_ONE && near.some(({ text, share }) => share === best && isNegative(text) === isNegative(sentence))
    );
  };
}
