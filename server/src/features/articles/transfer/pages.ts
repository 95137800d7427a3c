import type { IncomingMessage } from 'node:http';
import { type Agent, request } from 'node:https';
import type { SiteDoc } from '#features/sites';
import type { Usage } from '#features/usage';
import { AppError, badRequest, isPublicUrl, PrivateAddressError, sentence } from '#platform/http';
import { normalized, storable } from '#platform/text';
import { SECOND_MS } from '#platform/time';
import { ARTICLE_TITLE_MAX_LENGTH, type ArticleLanguage, slugOf } from '../contract.ts';
import type { Editing } from '../editing.ts';
import { mustFit } from '../storage.ts';
import { createMatcher, problemOf, storeDraft, type Tally } from './drafts.ts';
import { markdownOfPage } from './htmlToMarkdown.ts';

const PAGE_MAX_BYTES = 1024 * 1024;
const PAGE_MAX_MS = 10 * SECOND_MS;
const REDIRECTS_MAX = 5;

/** Reads a page of the web. @throws AppError with a sentence for whoever gave the address */
export type ReadPage = (url: string) => Promise<string>;

/**
 * Creates the reader of pages whose addresses people have typed in. Each address, also that of a redirect, must be a public one;
 * what its name resolves to is checked by the agent.
 */
export function createPageReader(agent: Agent): ReadPage {
  return async (url) => {
    const signal = AbortSignal.timeout(PAGE_MAX_MS);
    let at = url;
    for (let count = 0; count <= REDIRECTS_MAX; count++) {
      if (!isPublicUrl(at)) throw unreadable(sentence('The page leads to an address that is not public.'));
      const answer = await ask(at, agent, signal);
      const { statusCode = 0, headers } = answer;
      if (statusCode >= 300 && statusCode < 400 && headers.location && URL.canParse(headers.location, at)) {
        answer.destroy();
        at = new URL(headers.location, at).href;
        continue;
      }
      if (statusCode !== 200) {
        answer.destroy();
        throw unreadable(sentence('The server of the page answered {status}.', { status: statusCode }));
      }
      return await bodyOf(answer).catch((error) => {
        throw failureOf(error);
      });
    }
    throw unreadable(sentence('The page leads to other addresses too often.'));
  };
}

function ask(url: string, agent: Agent, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { Accept: 'text/html', 'User-Agent': 'Parley (import of articles)' };
    const sent = request(url, { agent, signal, headers }, resolve);
    sent.on('error', (error) => reject(failureOf(error)));
    sent.end();
  });
}

async function bodyOf(answer: IncomingMessage): Promise<string> {
  const type = answer.headers['content-type'] ?? '';
  if (!/^text\/html\b|^application\/xhtml\+xml\b/i.test(type)) {
    answer.destroy();
    throw unreadable(sentence('The address is not that of a page.'));
  }
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of answer) {
    size += piece.length;
    // Leaving the loop ends the connection.
    if (size > PAGE_MAX_BYTES) throw unreadable(sentence('The page is too large.'));
    pieces.push(piece);
  }
  return decoded(Buffer.concat(pieces), type);
}

function decoded(bytes: Buffer, type: string): string {
  const charset = /charset="?([\w-]{1,40})/i.exec(type)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return bytes.toString();
  }
}

const unreadable = (text: AppError['text']) => badRequest('PAGE_UNREADABLE', text);

function failureOf(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof PrivateAddressError)
    return unreadable(sentence('The page leads to an address that is not public.'));
  const { name } = error as Error;
  return unreadable(
    name === 'TimeoutError' || name === 'AbortError'
      ? sentence('The page took too long.')
      : sentence('The page could not be reached.'),
  );
}

/** Imports pages of the web as drafts. The last part of an address becomes that of the article, and goes on leading to it. */
export async function importPages(
  site: SiteDoc,
  { urls, lang }: { urls: string[]; lang: ArticleLanguage },
  { editing, readPage, usage }: { editing: Editing; readPage: ReadPage; usage: Usage },
): Promise<Tally> {
  const tally: Tally = { added: 0, changed: 0, unchanged: 0, leftOut: [] };
  const matcher = await createMatcher(site);
  const pages = await Promise.all(
    urls.map(async (url) => ({ url, html: await readPage(url).catch((error: unknown) => failureOf(error)) })),
  );
  for (const { url, html } of pages) {
    if (html instanceof AppError) {
      tally.leftOut.push({ source: url, reason: html.text });
      continue;
    }
    const page = markdownOfPage(storable(html), url);
    const title = page.title.slice(0, ARTICLE_TITLE_MAX_LENGTH).trim();
    const slug = slugOf(normalized(lastPart(url), 'NFC')) || slugOf(title);
    const draft = {
      source: url,
      lang,
      group: `${lang}/${url}`,
      category: null,
      title,
      text: page.text,
      slug,
      formerSlug: slug,
    };
    const whole = { ...draft, description: '', alsoAsked: [] };
    const problem = problemOf(whole) ?? (page.text === '' ? sentence('There is no text on the page.') : null);
    if (problem) tally.leftOut.push({ source: url, reason: problem });
    else {
      const finish = async (_article: unknown, text: string) => {
        mustFit(usage, site._id, { text });
        return text;
      };
      await storeDraft(site, whole, { matcher, editing, dryRun: false, tally, finish });
      if (page.pictures > 0)
        tally.leftOut.push({
          source: url,
          reason: sentence('Its pictures: {count}. Add them to the article by hand.', { count: page.pictures }),
        });
    }
  }
  return tally;
}

/** The last part of the path, without an ending. */
function lastPart(url: string): string {
  const path = new URL(url).pathname.split('/').findLast((part) => part !== '') ?? '';
  try {
    return decodeURIComponent(path).replace(/\.\w{1,5}$/, '');
  } catch {
    return path;
  }
}
