// Everybody in the week: made-up people at reserved addresses.

/** Who works for the shop; the first one owns it. */
export const TEAM = {
  Mara: { name: 'Mara Lind', email: 'demo@example.com' },
  Jonas: { name: 'Jonas Weber', email: 'jonas@example.com', role: 'agent' },
  Salma: { name: 'Salma Haddad', email: 'salma@example.com', role: 'agent' },
};

const DESKTOP = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0';
const MAC =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15';
const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
const ANDROID =
  'Mozilla/5.0 (Linux; Android 15; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36';

const en = { language: 'en-GB', timeZone: 'Europe/London', userAgent: DESKTOP };
const us = { language: 'en-US', timeZone: 'America/New_York', userAgent: MAC };
const de = { language: 'de-DE', timeZone: 'Europe/Berlin', userAgent: DESKTOP };
const es = { language: 'es-ES', timeZone: 'Europe/Madrid', userAgent: ANDROID };
const fr = { language: 'fr-FR', timeZone: 'Europe/Paris', userAgent: MAC };
const pt = { language: 'pt-BR', timeZone: 'America/Sao_Paulo', userAgent: ANDROID };
const ar = { language: 'ar-EG', timeZone: 'Africa/Cairo', userAgent: ANDROID };
const ja = { language: 'ja-JP', timeZone: 'Asia/Tokyo', userAgent: PHONE };

/** Who wrote to it: name, address, browser and what the shop's own pages say of a customer. */
export const VISITORS = {
  lena: { ...de, name: 'Lena Brandt', email: 'lena@example.org', attributes: { plan: 'Guest', orders: 1 } },
  tom: { ...en, name: 'Tom Ashby', email: 'tom.ashby@example.org', attributes: { orders: 4, 'last order': 'HL-2041' } },
  ines: { ...es, name: 'Inés Robles', email: 'ines@example.org' },
  camille: { ...fr, name: 'Camille Roche', email: 'camille@example.org', attributes: { orders: 2 } },
  yuki: { ...ja, name: '森 ゆき', email: 'yuki@example.org' },
  omar: { ...ar, name: 'عمر ناصر', email: 'omar@example.org', phone: '+20 2 5550 0142' },
  bruno: { ...pt, name: 'Bruno Teles', email: 'bruno@example.org' },
  grace: { ...us, name: 'Grace Odell', email: 'grace@example.org', attributes: { newsletter: true, orders: 7 } },
  pavel: { ...en, name: 'Pavel', userAgent: PHONE },
  hanna: { ...de, name: 'Hanna Vogt', email: 'hanna@example.org', userAgent: PHONE },
  nils: { ...de, name: 'Nils', language: 'de-AT', timeZone: 'Europe/Vienna' },
  rosa: { ...es, name: 'Rosa Medina', email: 'rosa@example.org', userAgent: DESKTOP },
  elise: { ...fr, name: 'Élise Marchand', email: 'elise@example.org' },
  dara: { ...en, name: 'Dara Quinn', email: 'dara@example.org', timeZone: 'Europe/Dublin', attributes: { orders: 1 } },
  kofi: { ...en, name: 'Kofi Mensah', email: 'kofi@example.org', timeZone: 'Africa/Accra', userAgent: ANDROID },
  spam: { ...us, name: 'Best Prices', userAgent: DESKTOP },
  layla: { ...ar, name: 'ليلى منصور', email: 'layla@example.org', userAgent: PHONE },
  ken: { ...ja, name: '田中 健', email: 'ken@example.org', userAgent: DESKTOP },
  ruth: { ...en, name: 'Ruth Calder', email: 'ruth@example.org', phone: '+44 20 7946 0123' },
  otto: { ...de, name: 'Otto Krämer', email: 'otto@example.org' },
  maya: {
    ...us,
    name: 'Maya Ellison',
    email: 'maya@example.org',
    timeZone: 'America/Chicago',
    attributes: { orders: 3 },
  },
  leo: { ...en, name: 'Leo Grant', userAgent: PHONE },
  sofia: { ...pt, name: 'Sofia Prado', email: 'sofia@example.org', language: 'pt-PT', timeZone: 'Europe/Lisbon' },
  anon: { ...en, userAgent: ANDROID },
};
