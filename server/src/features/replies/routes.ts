import type { Request, Router } from 'express';
import type { Caller, SignedInGuard } from '#features/auth';
import { siteFor } from '#features/sites';
import type { Ability } from '#features/team/contract';
import type { Usage } from '#features/usage';
import { attachmentView, type Pictures, receiveUpload } from '#platform/files';
import { endpoints, type Limits, siteIdOf } from '#platform/http';
import { createReply, listReplies, removeReply, replyFor, updateReply } from './actions.ts';
import type { CannedReply, RepliesApi } from './contract.ts';
import { addReplyFile } from './files.ts';
import { exportReplies, importReplies } from './importing.ts';
import type { ReplyDoc } from './model.ts';
import {
  replyExportSchema,
  replyFileSchema,
  replyImportSchema,
  replyListSchema,
  replyPatchSchema,
  replySchema,
} from './schemas.ts';

interface RepliesDeps {
  signedIn: SignedInGuard;
  limits: Limits;
  usage: Usage;
  pictures: Pictures;
}

/** The REST calls of canned replies. */
export function replyRoutes({ signedIn: { orKey }, limits, usage, pictures }: RepliesDeps): Router {
  const { router, on } = endpoints<RepliesApi>();
  const onSite = (ability: Ability) => (caller: Caller, _params: object, req: Request) =>
    siteFor(caller, siteIdOf(req), ability);
  const mayAdd = (caller: Caller, _params: object, req: Request) =>
    siteFor(caller, siteIdOf(req), req.body?.personal === true ? 'chats.reply' : 'replies.edit');
  const authorize = (caller: Caller, { id }: { id: string }) => replyFor(caller, id);

  on(
    'GET /canned-replies',
    { authenticate: orKey.read, authorize: onSite('replies.read'), query: replyListSchema },
    async ({ access, caller, query }) => {
      const replyOwner = { site: access.site._id, owner: caller.user._id };
      const { items, nextCursor } = await listReplies(replyOwner, query);
      return { data: { replies: items.map(replyView), nextCursor } };
    },
  );

  on(
    'POST /canned-replies',
    { authenticate: orKey.reply, authorize: mayAdd, body: replySchema },
    async ({ access, caller, body }) => {
      const { shortcut, content, personal } = body;
      const replyOwner = { site: access.site._id, ...(personal && { owner: caller.user._id }) };
      return { status: 201, data: { reply: replyView(await createReply(replyOwner, { shortcut, content })) } };
    },
  );

  on(
    'PATCH /canned-replies/:id',
    { authenticate: orKey.reply, authorize, body: replyPatchSchema },
    async ({ access, body }) => ({
      data: { reply: replyView(await updateReply(access, body)) },
    }),
  );

  on('DELETE /canned-replies/:id', { authenticate: orKey.reply, authorize }, async ({ access }) => {
    await removeReply(access);
    return { message: 'Canned reply deleted', data: {} };
  });

  const file = { authenticate: orKey.reply, authorize, query: replyFileSchema, upload: true };
  on('POST /canned-replies/:id/files', file, async ({ req, access, caller, query: { name } }) => {
    await limits.take('staffFilesPerAccount', caller.user._id.toHexString());
    return receiveUpload(req, async (received) => {
      const reply = await addReplyFile(access, caller, { received, name }, { pictures, usage });
      return { status: 201, data: { reply: replyView(reply) } };
    });
  });

  on(
    'GET /canned-replies/export',
    { authenticate: orKey.read, authorize: onSite('replies.read'), query: replyExportSchema, files: ['text/csv'] },
    async ({ access, caller }) => {
      const csv = await exportReplies(access.site._id, caller.user._id);
      return { file: oneText(csv), fileName: 'canned-replies.csv' };
    },
  );

  const csv = { authenticate: orKey.reply, authorize: onSite('chats.reply'), query: replyImportSchema, upload: true };
  on('POST /canned-replies/import', csv, async ({ req, access, caller, query }) => {
    await limits.take('staffFilesPerAccount', caller.user._id.toHexString());
    return receiveUpload(req, async (received) => ({
      data: await importReplies(access, caller, received, query.dryRun === 'yes'),
    }));
  });

  return router;
}

async function* oneText(text: string): AsyncGenerator<string> {
  yield text;
}

function replyView({ _id, site, owner, shortcut, content, files = [] }: ReplyDoc): CannedReply {
  return {
    _id: _id.toHexString(),
    siteId: site.toHexString(),
    shortcut,
    content,
    personal: owner !== undefined,
    files: files.map(attachmentView),
  };
}
