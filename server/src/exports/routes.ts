import type { Router } from 'express';
import type { SignedInGuard } from '../auth/access.ts';
import { chatFor } from '../chats/access.ts';
import type { HistoryFilters } from '../history/contract.ts';
import { walkHistory } from '../history/find.ts';
import { supportersOf } from '../history/supporters.ts';
import { type Download, endpoints } from '../http/endpoint.ts';
import { sitesAsked } from '../sites/access.ts';
import type { SiteDoc } from '../sites/model.ts';
import type { ExportFormat, ExportsApi } from './contract.ts';
import { createDesk } from './desk.ts';
import { chatHeading, type Heading, historyHeading } from './heading.ts';
import { type Piece, piecesOf, readPieces } from './pieces.ts';
import type { Press } from './press.ts';
import { chatExportRules, exportRules } from './rules.ts';
import { countForPdf } from './size.ts';
import { writeText } from './text.ts';

const files = ['text/plain', 'application/pdf'];

/** What the exports work with. */
interface ExportRouteDeps {
  signedIn: SignedInGuard;
  press: Press;
  /** Milliseconds */
  now: () => number;
}

/** The exports. They go before the calls of chats, whose `/chats/:id` would take `export` for an id. */
export function exportRoutes({ signedIn: who, press, now }: ExportRouteDeps): Router {
  const { router, on } = endpoints<ExportsApi>();
  const desk = createDesk();

  async function write(
    name: string,
    format: ExportFormat,
    heading: Heading,
    pieces: AsyncIterable<Piece[]>,
    over: AbortSignal,
  ): Promise<Download> {
    const fileName = `${name}.${format}`;
    const file = format === 'pdf' ? await press.print(heading, pieces, over) : writeText(heading, pieces);
    return { file, fileName, headers: { 'Content-Disposition': `attachment; filename="${fileName}"` } };
  }

  const may = sitesAsked('chats.read');
  on('GET /chats/export', { who, may, query: exportRules, files }, async ({ res, caller, access, query }) => {
    const { format = 'txt', ...filters } = query;
    const over = desk.enter(caller.user._id.toHexString(), res);
    const chats = format === 'pdf' ? await countForPdf(walkHistory(access, filters)) : null;
    const sites = access.map(({ name }) => name);
    const supporter = await supporterName(access, filters);
    const heading = historyHeading({ filters, sites, supporter, chats, at: now() });
    return write('chat-history', format, heading, readPieces(walkHistory(access, filters), access), over);
  });

  on(
    'GET /chats/:id/export',
    { who, may: (caller, { id }) => chatFor(caller, id, 'chats.read'), query: chatExportRules, files },
    async ({ res, params, caller, access, query: { format = 'txt', tz = 'UTC' } }) => {
      const over = desk.enter(caller.user._id.toHexString(), res);
      return write(`chat-${params.id}`, format, chatHeading(access.site.name, tz), piecesOf(access), over);
    },
  );

  return router;
}

/** Whom the filter names. Only people who answered here are looked up: an id is not to tell a stranger's name. */
async function supporterName(sites: SiteDoc[], { supporter = '' }: HistoryFilters): Promise<string | null> {
  if (supporter === '') return null;
  const known = (await supportersOf(sites)).find(({ _id }) => _id.toHexString() === supporter.toLowerCase());
  return known?.name ?? supporter;
}
