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
} as const satisfies Record<string, Limit>;
