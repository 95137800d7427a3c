/** Frequent words of support chats, roughly from the most frequent one on. */
const FREQUENT =
  `the to i and a you my it is for of in have on not that this with me can be but your do we so are if was will at please order
thanks when how what get would from there yes no just am as or they all been any has which account time day email still could delivery help know
need like one try sent page card number payment here about working only see work see now then than also back after because make some new more out up
sorry great hello delivered parcel address refund change cancel invoice password login button error website app phone update change today tomorrow yesterday
week month already again where why who shipping tracking customer size colour return exchange price discount code voucher shop item product broken missing
wrong late early support message answer question problem possible maybe sure fine good thank kind regards morning evening name first last street city
bank transfer paypal credit declined charged twice subscription plan upgrade downgrade trial monthly yearly team user settings download install browser`.split(
    /\s+/,
  );
const SYLLABLES =
  'an ber co da el fin gra ho is jo ka lu mer no or pa qui ra so ter un ver wi xa yo zen stra mo li ne'.split(' ');
/** Rare words: names, products, places, misspellings. */
const RARE = 20_000;
const WORDS_MIN = 4;
const WORDS_MAX = 24;

/**
 * Creates an endless sequence of varied texts, whose words are distributed as in natural language (Zipf), so that each chat
 * brings new words to the search index. The same seed gives the same texts.
 * @returns a function that gives the next text
 */
export function createTexts(seed = 1) {
  const random = createRandom(seed);
  return () => {
    const length = WORDS_MIN + Math.floor(random() * (WORDS_MAX - WORDS_MIN));
    const words = Array.from({ length }, () => wordOf(random()));
    return `${words.join(' ')}${random() < 0.3 ? '?' : '.'}`;
  };
}

/** Zipf's law: the word of rank r is 1/r as frequent as the first one. @param at between 0 and 1 */
function wordOf(at) {
  const rank = Math.floor((FREQUENT.length + RARE) ** at) - 1;
  return FREQUENT[rank] ?? rareWord(rank);
}

function rareWord(rank) {
  const { length } = SYLLABLES;
  let [word, rest] = ['', rank];
  for (; rest > 0; rest = Math.floor(rest / length)) word += SYLLABLES[rest % length];
  return word;
}

/** A small generator of pseudo-random numbers between 0 and 1 (mulberry32). */
function createRandom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
