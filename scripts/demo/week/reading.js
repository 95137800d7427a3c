// What visitors read and searched in the help centre without writing to anybody: `helped` is what they said of an article.

export const READ = [
  { day: 6, at: '08:20', article: 'delivery', helped: true },
  { day: 6, at: '13:44', article: 'returns', helped: true },
  { day: 6, at: '19:02', search: 'hammock' },
  { day: 5, at: '07:51', article: 'delivery', helped: true },
  { day: 5, at: '12:16', article: 'candles-or-led', helped: true },
  { day: 5, at: '16:33', article: 'spare-parts', helped: true },
  { day: 5, at: '21:30', search: 'pickup at the harbour' },
  { day: 4, at: '10:09', article: 'clean', helped: true },
  { day: 4, at: '18:40', article: 'spare-parts', helped: false, comment: 'Where is the number on the Lighthouse?' },
  { day: 4, at: '20:58', article: 'change-order', helped: true },
  { day: 3, at: '09:26', article: 'broken-glass', helped: true },
  { day: 3, at: '20:15', article: 'delivery', helped: false, comment: 'Do you ship to Canada?' },
  { day: 2, at: '08:47', search: 'ship to Canada' },
  { day: 3, at: '21:12', article: 'clean', helped: true },
  { day: 2, at: '11:05', article: 'gifts', helped: true },
  { day: 2, at: '18:21', article: 'delivery', helped: true },
  { day: 1, at: '08:04', article: 'candles-or-led', helped: true },
  { day: 1, at: '10:33', article: 'returns', helped: true },
  { day: 1, at: '19:12', search: 'ship to Canada' },
];

/** Of what was asked and not found, what the team keeps to write an article about; it dismisses the rest at that moment. */
export const SORTING = {
  ago: 100,
  kept: [
    'Do you ship to Canada?',
    'Where is the number on the Lighthouse?',
    'Do you have a shop where I can look at them?',
    'Does The Lighthouse charge with USB-C?',
    'pickup at the harbour',
    'is the lighthouse loud',
  ],
};
