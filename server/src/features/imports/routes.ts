import type { Router } from 'express';
import type { Caller, SignedInGuard } from '#features/auth';
import { siteFor } from '#features/sites';
import { receiveUpload } from '#platform/files';
import { AppError, endpoints, type Limits, sentence } from '#platform/http';
import { createLimiter } from '#platform/work';
import { addImport, cancelImport, importOf, importsOf, importView, runImport, type UploadDeps } from './actions.ts';
import { HISTORY_FILE_MAX_BYTES, type ImportsApi } from './contract.ts';
import { importRunSchema, importUploadSchema } from './schemas.ts';

interface ImportDeps extends UploadDeps {
  signedIn: SignedInGuard;
  limits: Limits;
  now: () => number;
}

const UPLOADS_AT_ONCE = 1;
const UPLOAD_WAIT_MAX_MS = 30_000;
const RETRY_AFTER_S = 10;

function othersUpload(): AppError {
  const text = sentence('Another file is being read right now. Please try again in a moment.');
  return new AppError(503, 'UNAVAILABLE', text, { retryAfter: RETRY_AFTER_S });
}

/** The calls that import the history of another chat. */
export function importRoutes({ signedIn: { orKey }, limits, usage, importReader, now }: ImportDeps): Router {
  const { router, on } = endpoints<ImportsApi>();
  // A large file takes hundreds of megabytes while its columns are read.
  const uploads = createLimiter(UPLOADS_AT_ONCE, {
    waitMaxMs: UPLOAD_WAIT_MAX_MS,
    waitingMax: 1,
    refused: othersUpload,
  });
  const ofSite = {
    authenticate: orKey.manage,
    authorize: (caller: Caller, { id }: { id: string }) => siteFor(caller, id, 'history.import'),
  };
  const ofImport = {
    authenticate: orKey.manage,
    async authorize(caller: Caller, { id, importId }: { id: string; importId: string }) {
      return importOf((await siteFor(caller, id, 'history.import')).site, importId);
    },
  };

  on('GET /sites/:id/imports', ofSite, async ({ access: { site } }) => ({
    data: { imports: (await importsOf(site._id)).map(importView) },
  }));

  const upload = { ...ofSite, query: importUploadSchema, upload: true };
  on('POST /sites/:id/imports', upload, async ({ req, access: { site }, caller, query: { name } }) => {
    await limits.take('staffFilesPerAccount', caller.user._id.toHexString());
    await limits.take('historyFilesPerAccount', caller.user._id.toHexString());
    return receiveUpload(
      req,
      async (received) => {
        const leave = await uploads.take(caller.user._id.toHexString());
        try {
          const added = await addImport(site, caller, { received, name }, { usage, importReader });
          return { status: 201, data: { import: importView(added) } };
        } finally {
          leave();
        }
      },
      HISTORY_FILE_MAX_BYTES,
    );
  });

  on('GET /sites/:id/imports/:importId', ofImport, async ({ access: { doc } }) => ({
    data: { import: importView(doc) },
  }));

  on(
    'POST /sites/:id/imports/:importId/run',
    { ...ofImport, body: importRunSchema },
    async ({ access, caller, body }) => {
      await limits.take('historyFilesPerAccount', caller.user._id.toHexString());
      return { data: { import: importView(await runImport(access, caller, body, now())) } };
    },
  );

  on('DELETE /sites/:id/imports/:importId', ofImport, async ({ access }) => ({
    data: { import: importView(await cancelImport(access)) },
  }));

  return router;
}
