import { HOUR_S, MINUTE_S } from '#platform/time';
import { type Limit, rate } from './limitRow.ts';

/** The limits of articles. */
export const ARTICLE_LIMITS = {
  articleChangesPerAccount: {
    ...rate(120, 'changes of articles', MINUTE_S, 'account'),
    why: 'What is written is saved every few seconds. It is enough for a program that keeps articles elsewhere.',
  },
  articlePreviewsPerAccount: {
    ...rate(240, 'previews of articles', MINUTE_S, 'account'),
    why: 'The preview follows the writing. A hostile text of the maximum length takes up to a tenth of a second.',
  },
  articlePicturesPerAccount: {
    ...rate(60, 'pictures of articles', 10 * MINUTE_S, 'account'),
    why: 'Each is decoded, and anybody can register. Pictures of an import do not count.',
  },
  articleImportsPerAccount: {
    ...rate(30, 'imports of articles', HOUR_S, 'account'),
    why: 'Each unpacks a file, or asks other servers for up to twenty pages.',
  },
  articlesPerAddress: {
    ...rate(600, 'lists and articles in the widget', MINUTE_S, 'address'),
    why: 'Each is read from the store, and counted. It is enough for a hundred people behind one address.',
  },
  articleSearchesPerAddress: {
    ...rate(120, 'searches of articles', MINUTE_S, 'address'),
    why: 'While somebody types, the widget asks twice a second at most. It is enough for a school class behind one address.',
  },
  articleSearchesPerSite: {
    ...rate(600, 'searches of articles', MINUTE_S, 'site'),
    why: 'For many addresses together: each takes some milliseconds where a help centre has hundreds of articles.',
  },
  articleFeedbackPerAddress: {
    ...rate(30, 'answers to ‘Did this help?’', 10 * MINUTE_S, 'address'),
    why: 'Against made-up figures.',
  },
} as const satisfies Record<string, Limit>;
