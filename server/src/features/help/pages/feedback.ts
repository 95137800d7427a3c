import express, { type Request } from 'express';
import { isMachine } from '#features/visitors';
import { addressKey } from '#platform/http';
import { countReading } from '../readers/figures.ts';
import { rememberQuestion } from '../readers/questions.ts';
import { resolve } from '../readers/resolve.ts';
import type { PageRequest } from './address.ts';
import { pathTo } from './layout.ts';

const BODY_LIMIT = '4kb';
const parseForm = express.urlencoded({ extended: false, limit: BODY_LIMIT, parameterLimit: 5 });

/** Takes what a reader says of an article in the form below it, and shows the article again. Other pages cannot send it. */
export async function feedback({ req, res, deps, context, published }: PageRequest, slug: string): Promise<void> {
  if (!isOfOwnPage(req)) return void res.status(403).end();
  await deps.limits.take('articleFeedbackPerAddress', addressKey(req.ip));
  await new Promise<void>((resolve, reject) => parseForm(req, res, (error) => (error ? reject(error) : resolve())));
  const found = resolve(published, context, slug);
  if (found.kind !== 'shown') return res.redirect(303, pathTo(context, slug));
  const { helped, comment } = (req.body ?? {}) as { helped?: unknown; comment?: unknown };
  const { site, lang } = context;
  if (!isMachine(req.get('user-agent') ?? '')) {
    if (helped === 'yes' || helped === 'no')
      countReading(site._id.toHexString(), found.entry.article, helped === 'yes' ? 'helped' : 'notHelped');
    if (typeof comment === 'string' && comment.trim() !== '') await rememberQuestion(site, { text: comment, lang });
  }
  const verdict = helped === 'no' ? 'no' : 'yes';
  res.redirect(303, `${pathTo(context, slug)}?helped=${verdict}#feedback`);
}

/** CSRF protection: browsers say from which site a form was sent. */
function isOfOwnPage(req: Request): boolean {
  const origin = req.get('origin');
  if (origin === undefined) return (req.get('sec-fetch-site') ?? 'same-origin') === 'same-origin';
  return URL.canParse(origin) && new URL(origin).host === req.get('host');
}
