import type { Router } from 'express';
import type { SignedInGuard } from '../auth/access.ts';
import type { Caller } from '../auth/sessions.ts';
import { chatFor } from '../chats/access.ts';
import type { HistoryFilters } from '../history/contract.ts';
import { walkHistory } from '../history/find.ts';
import { supportersOf } from '../history/supporters.ts';
import { type Download, endpoints } from '../http/endpoint.ts';
import { sitesAsked } from '../sites/access.ts';
import type { SiteDoc } from '../sites/model.ts';
import type { ExportFormat, ExportsApi } from './contract.ts';
import { createDesk } from './desk.ts';
import { chatHeading, historyHeading } from './heading.ts';
import { piecesOf, readPieces } from './pieces.ts';
import type { PdfOrder, Press } from './press.ts';
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

  async function write(name: string, format: ExportFormat, order: PdfOrder, over: AbortSignal): Promise<Download> {
    const fileName = `${name}.${format}`;
    const file = format === 'pdf' ? await press.print(order, over) : writeText(order.heading, order.pieces);
    return { file, fileName, headers: { 'Content-Disposition': `attachment; filename="${fileName}"` } };
  }

  const may = sitesAsked('chats.read');
  on('GET /chats/export', { who, may, query: exportRules, files }, async ({ res, caller, access, query }) => {
    const { format = 'txt', ...filters } = query;
    const over = desk.enter(personOf(caller), res);
    const chats = format === 'pdf' ? await countForPdf(walkHistory(access, filters)) : null;
    const sites = access.map(({ name }) => name);
    const supporter = await supporterName(access, filters);
    const heading = historyHeading({ filters, sites, supporter, chats, at: now() });
    const pieces = readPieces(walkHistory(access, filters), access);
    return write('chat-history', format, { person: personOf(caller), heading, pieces }, over);
  });

  on(
    'GET /chats/:id/export',
    { who, may: (caller, { id }) => chatFor(caller, id, 'chats.read'), query: chatExportRules, files },
    async ({ res, params, caller, access, query: { format = 'txt', tz = 'UTC' } }) => {
      const over = desk.enter(personOf(caller), res);
      const heading = chatHeading(access.site.name, tz);
      return write(`chat-${params.id}`, format, { person: personOf(caller), heading, pieces: piecesOf(access) }, over);
    },
  );

  return router;
}

const personOf = ({ user }: Caller) => user._id.toHexString();

/** Whom the filter names. Only people who answered here are looked up: an id is not to tell a stranger's name. */
async function supporterName(sites: SiteDoc[], { supporter = '' }: HistoryFilters): Promise<string | null> {
  if (supporter === '') return null;
  const known = (await supportersOf(sites)).find(({ _id }) => _id.toHexString() === supporter.toLowerCase());
  return known?.name ?? supporter;
}
