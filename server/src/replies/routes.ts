import type { Request, Router } from 'express';
import type { SignedInGuard } from '../auth/access.ts';
import type { Caller } from '../auth/sessions.ts';
import { endpoints, siteIdOf } from '../http/endpoint.ts';
import { siteFor } from '../sites/access.ts';
import type { Ability } from '../team/contract.ts';
import { replyFor } from './access.ts';
import { createReply, listReplies, removeReply, updateReply } from './actions.ts';
import type { CannedReply, RepliesApi } from './contract.ts';
import type { ReplyDoc } from './model.ts';
import { replyListRules, replyPatchRules, replyRules } from './rules.ts';

/** The calls of canned replies. */
export function replyRoutes({ signedIn: who }: { signedIn: SignedInGuard }): Router {
  const { router, on } = endpoints<RepliesApi>();
  const onSite = (ability: Ability) => (caller: Caller, _params: object, req: Request) =>
    siteFor(caller, siteIdOf(req), ability);
  const may = (caller: Caller, { id }: { id: string }) => replyFor(caller, id);

  on('GET /canned-replies', { who, may: onSite('replies.read'), query: replyListRules }, async ({ access, query }) => {
    const { replies, nextCursor } = await listReplies(access.site._id, query);
    return { data: { replies: replies.map(replyView), nextCursor } };
  });

  on('POST /canned-replies', { who, may: onSite('replies.edit'), body: replyRules }, async ({ access, body }) => {
    const { shortcut, content } = body;
    return { status: 201, data: { reply: replyView(await createReply(access.site._id, { shortcut, content })) } };
  });

  on('PATCH /canned-replies/:id', { who, may, body: replyPatchRules }, async ({ access, body }) => ({
    data: { reply: replyView(await updateReply(access, body)) },
  }));

  on('DELETE /canned-replies/:id', { who, may }, async ({ access }) => {
    await removeReply(access);
    return { message: 'Canned reply deleted', data: {} };
  });

  return router;
}

function replyView({ _id, site, shortcut, content }: ReplyDoc): CannedReply {
  return { _id: _id.toHexString(), siteId: site.toHexString(), shortcut, content };
}
