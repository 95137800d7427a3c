import type { Router } from 'express';
import type { Caller, SignedInGuard } from '#features/auth';
import { requirement, type SiteDoc, siteFor, sitesOf } from '#features/sites';
import { siteFull, textBytes, type Usage } from '#features/usage';
import { type Pictures, receiveUpload } from '#platform/files';
import { endpoints, invalid, type Limits, notFound, type PageOf } from '#platform/http';
import type { PageQuery } from '#platform/http/contract';
import type { ChatListQuery, ChatsApi } from './contract.ts';
import { type ChatAccess, chatFor } from './guards.ts';
import { listByWait, listChats, listFilter, listIndex, readThread } from './lists/lists.ts';
import { removeChat } from './maintenance.ts';
import { changeMessage } from './messages/changes.ts';
import { sendFile } from './messages/files.ts';
import type { Appended, MessageInput } from './messages/messages.ts';
import { answerChat } from './messages/sending.ts';
import { type ChatDoc, chatCache } from './model.ts';
import { addNote, readNotes } from './notes/notes.ts';
import { readByStaff, rowsWritten } from './row/projection.ts';
import {
  answerEditSchema,
  chatListSchema,
  departmentSchema,
  messageSchema,
  NO_CLAIMER,
  noteListSchema,
  noteSchema,
  seqSchema,
  tagSchema,
  textSchema,
  threadSchema,
  transferSchema,
  uploadSchema,
} from './schemas.ts';
import { chatView, chatViews, noteView, staffChanges, staffMessageView, staffMessageViews } from './serialize.ts';
import { refuseIfFull } from './storage.ts';
import { claimChat } from './turns/claim.ts';
import { closeChat, closerOf, reopenChat } from './turns/closing.ts';
import type { TransferBody, TurnsApi } from './turns/contract.ts';
import { moveToDepartment } from './turns/department.ts';
import { setTags } from './turns/ratingAndTags.ts';
import { transferChat } from './turns/transfer.ts';
import { markUnread } from './turns/unread.ts';

interface ChatRouteDeps {
  signedIn: SignedInGuard;
  pictures: Pictures;
  limits: Limits;
  usage: Usage;
  /** Searches the chats of some sites by words. */
  searchChats: (sites: SiteDoc[], filter: object, query: PageQuery & { search: string }) => Promise<PageOf<ChatDoc>>;
}

/** The calls of chats. */
export function chatRoutes({ signedIn: { orKey }, pictures, limits, usage, searchChats }: ChatRouteDeps): Router {
  const { router, on } = endpoints<ChatsApi & TurnsApi>();
  const listed = ({ user }: Caller, sites: SiteDoc[], { search = '', sort, ...query }: ChatListQuery) => {
    const filter = listFilter(query, user._id, sites);
    if (search !== '') return searchChats(sites, filter, { ...query, search });
    if (sort === 'waiting') return listByWait(sites, filter, query);
    return listChats(sites, filter, query, listIndex(query));
  };
  const requires = requirement(chatFor);

  on('GET /chats', { authenticate: orKey.read, query: chatListSchema }, async ({ caller, query }) => {
    const sites = await sitesOf(caller);
    return page(await listed(caller, sites, query), sites);
  });

  const site = (caller: Caller, { siteId }: { siteId: string }) => siteFor(caller, siteId, 'chats.read');
  on(
    'GET /chats/site/:siteId',
    { authenticate: orKey.read, authorize: site, query: chatListSchema },
    async ({ access, caller, query }) => page(await listed(caller, [access.site], query), [access.site]),
  );

  on(
    'GET /chats/:id',
    { authenticate: orKey.read, authorize: requires('chats.read'), query: threadSchema },
    async ({ access, query }) => {
      await rowsWritten([access.site]);
      const row = await chatCache.find(access.chat._id.toHexString());
      if (!row) throw notFound('chat');
      const { messages } = await readThread(row._id, query);
      const chat = await chatView(row, access.site);
      return { data: { chat: { ...chat, messages: await staffMessageViews(messages) } } };
    },
  );

  on(
    'GET /chats/:id/messages',
    { authenticate: orKey.read, authorize: requires('chats.read'), query: threadSchema },
    async ({ access, query }) => {
      const { messages, more } = await readThread(access.chat._id, query);
      const changes = await staffChanges(access.chat, query.afterEdit);
      return { data: { messages: await staffMessageViews(messages), more, ...changes } };
    },
  );

  async function answer(access: ChatAccess, caller: Caller, input: MessageInput) {
    await limits.take('staffMessagesPerAccount', caller.user._id.toHexString());
    await refuseIfFull(usage, access.site, `u:${caller.user._id}`, input);
    return answered(await answerChat(access, caller, input));
  }

  on(
    'POST /chats/:id/messages',
    { authenticate: orKey.reply, authorize: requires('chats.reply'), body: messageSchema },
    ({ access, caller, body }) => answer(access, caller, body),
  );

  on(
    'POST /chats/:id/message',
    { authenticate: orKey.reply, authorize: requires('chats.reply'), body: textSchema },
    ({ access, caller, body }) => {
      const { text, ...named } = body;
      return answer(access, caller, { ...named, content: text });
    },
  );

  const ownMessage = (caller: Caller, messageId: string) => ({ messageId, senderKey: `u:${caller.user._id}` });

  on(
    'PATCH /chats/:id/messages/:messageId',
    { authenticate: orKey.reply, authorize: requires('chats.reply'), body: answerEditSchema },
    async ({ access, caller, params, body }) => {
      await limits.take('staffMessagesPerAccount', caller.user._id.toHexString());
      const message = await changeMessage(access, ownMessage(caller, params.messageId), body, usage);
      return { data: { message: await staffMessageView(message) } };
    },
  );

  on(
    'DELETE /chats/:id/messages/:messageId',
    { authenticate: orKey.reply, authorize: requires('chats.reply') },
    async ({ access, caller, params }) => {
      const message = await changeMessage(access, ownMessage(caller, params.messageId), null, usage);
      return { data: { message: await staffMessageView(message) } };
    },
  );

  const upload = { authenticate: orKey.reply, authorize: requires('chats.reply'), query: uploadSchema, upload: true };
  on('POST /chats/:id/files', upload, async ({ req, access, caller, query }) => {
    await limits.take('staffFilesPerAccount', caller.user._id.toHexString());
    return receiveUpload(req, async (received) => {
      const senderKey = `u:${caller.user._id}`;
      const sender = { pool: 'staff', key: senderKey } as const;
      const from = { site: access.site, senderKey, query, sender };
      return answered(
        await sendFile(received, from, { pictures, usage }, (input) => answerChat(access, caller, input)),
      );
    });
  });

  on(
    'POST /chats/:id/claim',
    { authenticate: orKey.reply, authorize: requires('chats.reply') },
    async ({ access, caller }) => ({
      data: { chat: await chatView(await claimChat(access, caller), access.site) },
    }),
  );

  on(
    'POST /chats/:id/close',
    { authenticate: orKey.reply, authorize: requires('chats.reply') },
    async ({ access, caller }) => ({
      data: { chat: await chatView(await closeChat(access, closerOf(caller)), access.site) },
    }),
  );

  on(
    'POST /chats/:id/reopen',
    { authenticate: orKey.reply, authorize: requires('chats.reply') },
    async ({ access, caller }) => ({
      data: { chat: await chatView(await reopenChat(access, caller), access.site) },
    }),
  );

  on(
    'POST /chats/:id/transfer',
    { authenticate: orKey.reply, authorize: requires('chats.reply'), body: transferSchema },
    async ({ access, caller, body }) => ({
      data: { chat: await chatView(await transfer(access, caller, body), access.site) },
    }),
  );

  on(
    'PUT /chats/:id/department',
    { authenticate: orKey.reply, authorize: requires('chats.reply'), body: departmentSchema },
    async ({ access, caller, body }) => ({
      data: { chat: await chatView(await moveToDepartment(access, caller, body.department), access.site) },
    }),
  );

  on(
    'POST /chats/:id/read',
    { authenticate: orKey.reply, authorize: requires('chats.read'), body: seqSchema },
    async ({ access, body }) => {
      const read = readByStaff(access, body.seq);
      await rowsWritten([access.site]);
      await read;
      return { data: {} };
    },
  );

  on(
    'POST /chats/:id/unread',
    { authenticate: orKey.reply, authorize: requires('chats.reply') },
    async ({ access }) => ({
      data: { chat: await chatView(await markUnread(access), access.site) },
    }),
  );

  on(
    'DELETE /chats/:id',
    { authenticate: orKey.manage, authorize: requires('chats.delete') },
    async ({ access, caller }) => {
      await removeChat(access, closerOf(caller));
      return { message: 'Chat deleted', data: {} };
    },
  );

  for (const verb of ['PUT', 'POST'] as const) {
    on(
      `${verb} /chats/:id/tags`,
      { authenticate: orKey.reply, authorize: requires('chats.reply'), body: tagSchema },
      async ({ access, body }) => ({
        data: { chat: await chatView(await setTags(access, body.tags), access.site) },
      }),
    );
  }

  on(
    'GET /chats/:id/notes',
    { authenticate: orKey.read, authorize: requires('chats.read'), query: noteListSchema },
    async ({ access, query }) => {
      const { notes, more } = await readNotes(access.chat._id, query);
      return { data: { notes: notes.map(noteView), more } };
    },
  );

  on(
    'POST /chats/:id/notes',
    { authenticate: orKey.reply, authorize: requires('chats.reply'), body: noteSchema },
    async ({ access, caller, body }) => {
      await limits.take('staffMessagesPerAccount', caller.user._id.toHexString());
      if (!usage.fits(access.site._id.toHexString(), { text: textBytes(body.content) })) throw siteFull(false);
      const { note, isNew } = await addNote(access, caller, body);
      return { status: isNew ? 201 : 200, data: { note: noteView(note) } };
    },
  );

  return router;
}

async function page({ items, nextCursor }: PageOf<ChatDoc>, sites: Parameters<typeof chatViews>[1]) {
  return { data: { chats: await chatViews(items, sites), nextCursor } };
}

async function answered({ message, isNew }: Appended) {
  return { status: isNew ? 201 : 200, data: { message: await staffMessageView(message) } };
}

/** @throws AppError 422 where it says neither to whom nor to which department, or both */
async function transfer(access: ChatAccess, caller: Caller, { userId, department }: TransferBody): Promise<ChatDoc> {
  if (department !== undefined && !userId) return moveToDepartment(access, caller, department, true);
  if (userId === undefined || department !== undefined) throw invalid([{ msg: NO_CLAIMER, path: 'userId' }]);
  return transferChat(access, caller, userId);
}
