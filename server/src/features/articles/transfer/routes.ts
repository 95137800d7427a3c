import type { Router } from 'express';
import type { SignedInGuard } from '#features/auth';
import { requirement, siteFor } from '#features/sites';
import { receiveUpload } from '#platform/files';
import { endpoints, inEnglish, type Limits, partsOf } from '#platform/http';
import { ARTICLE_IMPORT_MAX_BYTES, ARTICLE_LEFT_OUT_MAX, type ArticleImport, type ArticlesApi } from '../contract.ts';
import type { PictureDeps } from '../pictures.ts';
import type { Tally } from './drafts.ts';
import { exportArticles } from './exporting.ts';
import { importArticles } from './importing.ts';
import { importPages, type ReadPage } from './pages.ts';
import { importSchema, pagesSchema } from './schemas.ts';

interface TransferDeps extends PictureDeps {
  signedIn: SignedInGuard;
  limits: Limits;
  now: () => number;
  readPage: ReadPage;
}

/** The calls that import and export articles. */
export function transferRoutes({ signedIn: { orKey }, limits, now, readPage, ...deps }: TransferDeps): Router {
  const { router, on } = endpoints<ArticlesApi>();
  const onSite = requirement(siteFor);
  const importing = { authenticate: orKey.manage, authorize: onSite('articles.edit') };

  on(
    'POST /sites/:id/articles/import',
    { ...importing, query: importSchema, upload: true },
    async ({ req, access: { site }, caller, query }) => {
      await limits.take('articleImportsPerAccount', caller.user._id.toHexString());
      const about = { ...deps, editing: { caller, now: now() }, dryRun: query.dryRun === 'yes' };
      return receiveUpload(
        req,
        async (received) => ({ data: importView(await importArticles(site, received, about)) }),
        ARTICLE_IMPORT_MAX_BYTES,
      );
    },
  );

  on(
    'POST /sites/:id/articles/import-pages',
    { ...importing, body: pagesSchema },
    async ({ access: { site }, caller, body }) => {
      await limits.take('articleImportsPerAccount', caller.user._id.toHexString());
      return {
        data: importView(
          await importPages(site, body, { editing: { caller, now: now() }, readPage, usage: deps.usage }),
        ),
      };
    },
  );

  on(
    'GET /sites/:id/articles/export',
    { authenticate: orKey.read, authorize: onSite('articles.read'), files: ['application/zip'] },
    async ({ access: { site } }) => ({ file: exportArticles(site), fileName: 'articles.zip' }),
  );

  return router;
}

function importView({ leftOut, ...counts }: Tally): ArticleImport {
  return {
    ...counts,
    leftOut: leftOut
      .slice(0, ARTICLE_LEFT_OUT_MAX)
      .map(({ source, reason }) => ({ source, reason: inEnglish(reason), ...partsOf(reason) })),
  };
}
