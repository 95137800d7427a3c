import type { Request, Router } from 'express';
import type { Caller, SignedInGuard } from '#features/auth';
import { conditionFields, listStatusChoice } from '#features/chats';
import { siteFor, sitesInQuery, sitesOf } from '#features/sites';
import {
  choice,
  endpoints,
  ID_JSON_SCHEMA,
  type InputSchema,
  idField,
  isId,
  JSON_SCHEMA,
  sentence,
  text,
} from '#platform/http';
import { type InboxApi, SAVED_VIEWS_MAX, VIEW_NAME_MAX_LENGTH } from './contract.ts';
import { countChats, tagsOf } from './counts.ts';
import { addView, orderViews, removeView, replaceView, viewsOf } from './views.ts';

const siteId = idField('siteId', { optional: true });
const { claimedBy, tag, department } = conditionFields;
const countsSchema = { siteId, claimedBy, tag, department } as InputSchema;
const tagsSchema: InputSchema = { siteId };
const viewSchema: InputSchema = {
  name: text({ label: 'Name', max: VIEW_NAME_MAX_LENGTH }),
  siteId,
  status: listStatusChoice,
  sort: choice('sort', ['activity', 'waiting']),
  ...conditionFields,
};
const isIdList = (value: unknown) => Array.isArray(value) && value.length <= SAVED_VIEWS_MAX && value.every(isId);
const orderSchema: InputSchema = {
  ids: {
    [JSON_SCHEMA]: { type: 'array', maxItems: SAVED_VIEWS_MAX, items: ID_JSON_SCHEMA },
    errorMessage: sentence('ids must be a list of up to {max} ids', { max: SAVED_VIEWS_MAX }),
    custom: { options: isIdList },
  },
};

/** The calls of the inbox besides those of its chats. */
export function inboxRoutes({ signedIn: authenticate }: { signedIn: SignedInGuard }): Router {
  const { router, on } = endpoints<InboxApi>();
  const { orKey } = authenticate;
  const authorize = sitesInQuery('chats.read');

  on(
    'GET /inbox/counts',
    { authenticate: orKey.read, authorize, query: countsSchema },
    async ({ access, caller, query }) => ({
      data: { counts: await countChats(access, query, caller.user._id) },
    }),
  );

  on('GET /inbox/tags', { authenticate: orKey.read, authorize, query: tagsSchema }, async ({ access }) => ({
    data: { tags: await tagsOf(access) },
  }));

  /** A view may only name a site that the caller is on. */
  const ofOwnSite = async (caller: Caller, _params: object, req: Request) => {
    const named: unknown = req.body?.siteId;
    if (isId(named)) await siteFor(caller, named, 'chats.read');
  };
  const allOf = async (caller: Caller) => ({
    data: { views: await viewsOf(caller.user._id, await sitesOf(caller)) },
  });

  on('GET /inbox/views', { authenticate }, ({ caller }) => allOf(caller));

  on('POST /inbox/views', { authenticate, authorize: ofOwnSite, body: viewSchema }, async ({ caller, body }) => {
    await addView(caller.user._id, body);
    return { status: 201, ...(await allOf(caller)) };
  });

  on('PUT /inbox/views', { authenticate, body: orderSchema }, async ({ caller, body }) => {
    await orderViews(caller.user._id, body.ids);
    return allOf(caller);
  });

  on(
    'PUT /inbox/views/:id',
    { authenticate, authorize: ofOwnSite, body: viewSchema },
    async ({ caller, params, body }) => {
      await replaceView(caller.user._id, params.id, body);
      return allOf(caller);
    },
  );

  on('DELETE /inbox/views/:id', { authenticate }, async ({ caller, params }) => {
    await removeView(caller.user._id, params.id);
    return allOf(caller);
  });

  return router;
}
