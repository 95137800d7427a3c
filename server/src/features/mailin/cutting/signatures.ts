/** After `--` without its space, which programs for HTML remove, a signature has at most so many lines. */
const LINES_MAX = 8;
/** Of lines that phones write. */
const LENGTH_MIN = 10;
const LENGTH_MAX = 160;

/**
 * What phones and mail programs write below an answer: how the line begins and, where a person could begin a sentence so, how it ends. One of
 * the products stands in it, too.
 */
const BEGINNINGS: [string, string?][] = [
  ...[['sent from '], ['sent with '], ['sent via '], ['get outlook for ']],
  ...[['von mein', ' gesendet'], ['von yahoo mail', ' gesendet'], ['gesendet von '], ['gesendet mit ']],
  ...[
    ['diese nachricht wurde von ', ' gesendet'],
    ['outlook für ', ' herunterladen'],
  ],
  ...[['hol dir outlook für '], ['holen sie sich outlook für ']],
  ...[['enviado desde '], ['enviado con '], ['obtener outlook '], ['obtén outlook ']],
  ...[['envoyé de '], ['envoyé depuis '], ['envoyé à partir de '], ['envoyé avec '], ['télécharge', ' outlook']],
  ...[['obtenir outlook '], ['obtenez outlook ']],
  ...[['enviado do '], ['enviado de '], ['enviado a partir do '], ['enviado com '], ['obter o outlook ']],
  ...[['obter outlook '], ['obtenha o outlook ']],
  ...[['أرسلت من '], ['أرسل من '], ['مرسل من '], ['تم الإرسال من '], ['تم إرساله من '], ['تم الارسال من ']],
  ...[['احصل على outlook '], ['الحصول على outlook ']],
] as [string, string?][];
const PRODUCTS = [
  ...[
    'iphone',
    'ipad',
    'ios',
    'android',
    'galaxy',
    'samsung',
    'outlook',
    'yahoo',
    'k-9',
    'thunderbird',
    'gmx',
    'web.de',
  ],
  ...['proton', 'blackberry', 'huawei', 'xiaomi', 'windows', 'smartphone'],
];

/**
 * Where the signature begins at the end of the person's own lines: after `-- `, or a line like "Sent from my iPhone".
 * @param isInside among unmarked lines of our mail, which has a `-- ` of its own
 * @returns the index of its first line; `to`: there is none
 */
export function signatureIn(lines: string[], from: number, to: number, isInside: boolean): number {
  let end = isInside ? to : separatorIn(lines, from, to);
  for (let at = end - 1; at >= from; at--) {
    const line = lines[at] ?? '';
    if (isSentFrom(line)) end = at;
    else if (line.trim() !== '') break;
  }
  return end;
}

function separatorIn(lines: string[], from: number, to: number): number {
  for (let at = from; at < to; at++) if (lines[at] === '-- ') return at;
  let last = to - 1;
  while (last >= from && lines[last]?.trim() === '') last--;
  for (let at = last; at >= from && at >= last - LINES_MAX; at--) if (lines[at]?.trim() === '--') return at;
  return to;
}

function isSentFrom(line: string): boolean {
  if (line.length < LENGTH_MIN || line.length > LENGTH_MAX) return false;
  // Links, emphasis, the marks of Arabic letters and of directions stand among the words.
  const plain = line
    .toLowerCase()
    .replace(/^[^\p{L}]+/u, '')
    .replaceAll(/[\u064b-\u0652\p{Cf}*_]/gu, '')
    .trim();
  return (
    BEGINNINGS.some(([beginning, end]) => plain.startsWith(beginning) && plain.includes(end ?? '')) &&
    PRODUCTS.some((product) => plain.includes(product)) &&
    !plain.endsWith('?')
  );
}
