import type { Response, Router } from 'express';
import type { Caller, SignedInGuard } from '#features/auth';
import { chatFor } from '#features/chats';
import { historyFilterSchema, supportersOf, walkHistory } from '#features/history';
import type { HistoryFilters } from '#features/history/contract';
import { type SiteDoc, sitesInQuery } from '#features/sites';
import {
  AppError,
  choice,
  type Download,
  endpoints,
  type InputSchema,
  sentence,
  timeZoneField,
  unavailable,
  whenClosed,
} from '#platform/http';
import { EXPORTS_AT_ONCE, type ExportFormat, type ExportsApi } from './contract.ts';
import { chatHeading, historyHeading } from './heading.ts';
import type { PdfOrder, PdfPool } from './pdfPool.ts';
import { countForPdf, piecesOf, readPieces } from './pieces.ts';
import { writeText } from './text.ts';

const format = choice('format', ['txt', 'pdf']);

const exportSchema: InputSchema = { ...historyFilterSchema, format };
const chatExportSchema: InputSchema = { format, tz: timeZoneField };

const RETRY_AFTER_S = 10;

/** Limits the exports that run at once. */
export interface ExportLimit {
  /**
   * Counts one more export of a person, until its response is closed.
   * @returns a signal that aborts then, also when the reader has left
   * @throws AppError 429 `EXPORTS_RUNNING`
   */
  enter(person: string, res: Response): AbortSignal;
}

/** Counts by person and not by session, since one person may open many sessions. */
function createExportLimit(): ExportLimit {
  const underWay = new Map<string, number>();
  return {
    enter(person, res) {
      if (res.closed || res.req.socket.destroyed) throw unavailable();
      const already = underWay.get(person) ?? 0;
      if (already >= EXPORTS_AT_ONCE) throw busy();
      underWay.set(person, already + 1);
      const over = new AbortController();
      whenClosed(res, () => {
        const left = (underWay.get(person) ?? 1) - 1;
        if (left > 0) underWay.set(person, left);
        else underWay.delete(person);
        over.abort();
      });
      return over.signal;
    },
  };
}

function busy(): AppError {
  const text = sentence('{count} of your exports are still running. Please wait until one of them has finished.', {
    count: EXPORTS_AT_ONCE,
  });
  return new AppError(429, 'EXPORTS_RUNNING', text, { retryAfter: RETRY_AFTER_S });
}

const files = ['text/plain', 'application/pdf'];

interface ExportRouteDeps {
  signedIn: SignedInGuard;
  pdfPool: PdfPool;
  now: () => number;
}

/**
 * The REST calls of exports. They must be registered before those of chats: `/chats/:id` would take `export` for an id.
 */
export function exportRoutes({ signedIn: { orKey }, pdfPool, now }: ExportRouteDeps): Router {
  const { router, on } = endpoints<ExportsApi>();
  const exportLimit = createExportLimit();

  async function write(name: string, format: ExportFormat, order: PdfOrder, over: AbortSignal): Promise<Download> {
    const fileName = `${name}.${format}`;
    const file = format === 'pdf' ? await pdfPool.print(order, over) : writeText(order.heading, order.pieces);
    return { file, fileName, headers: { 'Content-Disposition': `attachment; filename="${fileName}"` } };
  }

  const authorize = sitesInQuery('chats.read');
  on(
    'GET /chats/export',
    { authenticate: orKey.read, authorize, query: exportSchema, files },
    async ({ res, caller, access, query }) => {
      const { format = 'txt', ...filters } = query;
      const over = exportLimit.enter(personOf(caller), res);
      const chats = format === 'pdf' ? await countForPdf(walkHistory(access, filters)) : null;
      const sites = access.map(({ name }) => name);
      const supporter = await supporterName(access, filters);
      const heading = historyHeading({ filters, sites, supporter, chats, at: now() });
      const pieces = readPieces(walkHistory(access, filters), access);
      return write('chat-history', format, { person: personOf(caller), heading, pieces }, over);
    },
  );

  on(
    'GET /chats/:id/export',
    {
      authenticate: orKey.read,
      authorize: (caller, { id }) => chatFor(caller, id, 'chats.read'),
      query: chatExportSchema,
      files,
    },
    async ({ res, params, caller, access, query: { format = 'txt', tz = 'UTC' } }) => {
      const over = exportLimit.enter(personOf(caller), res);
      const heading = chatHeading(access.site.name, tz);
      return write(`chat-${params.id}`, format, { person: personOf(caller), heading, pieces: piecesOf(access) }, over);
    },
  );

  return router;
}

const personOf = ({ user }: Caller) => user._id.toHexString();

/**
 * The name of the supporter in the filter. Only people who answered on these sites are looked up, so that an id does not
 * reveal a stranger's name.
 */
async function supporterName(sites: SiteDoc[], { supporter = '' }: HistoryFilters): Promise<string | null> {
  if (supporter === '') return null;
  const supporterUser = (await supportersOf(sites)).find(({ _id }) => _id.toHexString() === supporter.toLowerCase());
  return supporterUser?.name ?? supporter;
}
