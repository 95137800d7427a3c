import type { Request, Router } from 'express';
import type { SignedInGuard } from '../auth/guards.ts';
import type { Caller } from '../auth/sessions.ts';
import { endpoints, siteIdOf } from '../http/endpoint.ts';
import { idField, pageFields, text } from '../http/fields.ts';
import { JSON_SCHEMA } from '../http/jsonSchema.ts';
import type { InputSchema } from '../http/validate.ts';
import { siteFor } from '../sites/guards.ts';
import type { Ability } from '../team/contract.ts';
import { createReply, listReplies, removeReply, replyFor, updateReply } from './actions.ts';
import { type CannedReply, REPLY_MAX_LENGTH, type RepliesApi, SHORTCUT_MAX_LENGTH } from './contract.ts';
import type { ReplyDoc } from './model.ts';

const normalize = (value: string) => value.normalize('NFC').trim().replace(/^\//, '').toLowerCase();
const isShortcut = (value: unknown) =>
  typeof value === 'string' &&
  normalize(value).length <= SHORTCUT_MAX_LENGTH &&
  /^[\p{L}\p{M}\p{N}_-]+$/u.test(normalize(value));

const shortcut = (optional: boolean): InputSchema[string] => ({
  ...(optional ? { optional: { options: { values: 'undefined' as const } } } : {}),
  [JSON_SCHEMA]: { type: 'string', minLength: 1, maxLength: SHORTCUT_MAX_LENGTH },
  errorMessage: `Shortcut must be up to ${SHORTCUT_MAX_LENGTH} letters, digits, - or _, without spaces`,
  custom: { options: isShortcut, bail: true },
  customSanitizer: { options: (value: unknown) => (typeof value === 'string' ? normalize(value) : value) },
});
const content = (optional: boolean) => text({ label: 'Content', max: REPLY_MAX_LENGTH, raw: true, optional });

const replySchema: InputSchema = { siteId: idField('siteId'), shortcut: shortcut(false), content: content(false) };
const replyPatchSchema: InputSchema = { shortcut: shortcut(true), content: content(true) };
const replyListSchema: InputSchema = {
  ...pageFields,
  siteId: idField('siteId'),
  q: { ...text({ label: 'q', max: SHORTCUT_MAX_LENGTH, optional: true, blank: true }), toLowerCase: true },
};

/** The REST calls of canned replies. */
export function replyRoutes({ signedIn: authenticate }: { signedIn: SignedInGuard }): Router {
  const { router, on } = endpoints<RepliesApi>();
  const onSite = (ability: Ability) => (caller: Caller, _params: object, req: Request) =>
    siteFor(caller, siteIdOf(req), ability);
  const authorize = (caller: Caller, { id }: { id: string }) => replyFor(caller, id);

  on(
    'GET /canned-replies',
    { authenticate, authorize: onSite('replies.read'), query: replyListSchema },
    async ({ access, query }) => {
      const { items, nextCursor } = await listReplies(access.site._id, query);
      return { data: { replies: items.map(replyView), nextCursor } };
    },
  );

  on(
    'POST /canned-replies',
    { authenticate, authorize: onSite('replies.edit'), body: replySchema },
    async ({ access, body }) => {
      const { shortcut, content } = body;
      return { status: 201, data: { reply: replyView(await createReply(access.site._id, { shortcut, content })) } };
    },
  );

  on('PATCH /canned-replies/:id', { authenticate, authorize, body: replyPatchSchema }, async ({ access, body }) => ({
    data: { reply: replyView(await updateReply(access, body)) },
  }));

  on('DELETE /canned-replies/:id', { authenticate, authorize }, async ({ access }) => {
    await removeReply(access);
    return { message: 'Canned reply deleted', data: {} };
  });

  return router;
}

function replyView({ _id, site, shortcut, content }: ReplyDoc): CannedReply {
  return { _id: _id.toHexString(), siteId: site.toHexString(), shortcut, content };
}
