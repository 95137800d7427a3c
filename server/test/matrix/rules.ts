import { randomUUID } from 'node:crypto';
import type { Ability } from '../../src/features/team/contract.ts';
import type { Thing, World } from './world.ts';

/** Who may make a call, and about what. A call without a rule fails the test. */
export type Rule =
  /** Everybody, also without a session. */
  | { open: true }
  /** Whoever is signed in, about himself or his own sites. */
  | { self: true; body?: object }
  /** Members of a site who may do this, about one of its things, which the call names in its path or by `siteId`. */
  | { ability: Ability; on: Thing; by?: 'path' | 'body' | 'query'; path?: (world: World) => string; body?: Body }
  /** The platform's admins, about an account where the path names one. */
  | { platform: true; body?: object }
  /** The visitor, on the own site. */
  | { visitor: true; body?: Body };
type Body = (world: World) => object;

const message = () => ({ clientId: randomUUID(), content: 'Matrix' });
const soon = () => ({ until: new Date(Date.now() + 3_600_000).toISOString() });
const stranger = 'b'.repeat(24);

/** One row a call. */
export const RULES: Record<string, Rule> = {
  'POST /auth/register': { open: true },
  'GET /auth/registration': { open: true },
  'POST /auth/login': { open: true },
  'POST /auth/forgot': { open: true },
  'POST /auth/reset': { open: true },
  'POST /auth/email/confirm': { open: true },
  'POST /auth/email/link': { self: true },
  'GET /auth/profile': { self: true },
  'PUT /auth/profile': { self: true, body: {} },
  'PUT /auth/password': { self: true, body: {} },
  'POST /auth/refresh': { self: true },
  'POST /auth/logout': { self: true },
  'GET /auth/account/export': { self: true },
  'DELETE /auth/account': { self: true },
  'GET /auth/sessions': { self: true },
  'DELETE /auth/sessions/:id': { self: true },
  'POST /auth/two-factor/setup': { self: true },
  'POST /auth/two-factor/enable': { self: true },
  'POST /auth/two-factor/disable': { self: true },
  'POST /auth/two-factor/recovery-codes': { self: true },
  'GET /api-keys': { self: true },
  'POST /api-keys': { self: true, body: {} },
  'DELETE /api-keys/:id': { self: true },
  'GET /docs': { open: true },
  'GET /docs/embed-code': { open: true },
  'GET /docs/api-endpoints': { open: true },
  'GET /docs/javascript-api': { open: true },
  'GET /docs/install': { open: true },
  'GET /docs/move-in': { open: true },
  'GET /docs/api-keys': { open: true },
  'GET /docs/webhooks': { open: true },
  'GET /docs/examples': { open: true },

  'GET /settings': { self: true },
  'PATCH /settings': { self: true, body: {} },

  'GET /sites': { self: true },
  'POST /sites': { self: true, body: {} },
  'GET /sites/:id': { ability: 'sites.read', on: 'site' },
  'PUT /sites/:id': { ability: 'sites.edit', on: 'site', body: () => ({ name: 'New', domain: 'new.example.com' }) },
  'PATCH /sites/:id': { ability: 'sites.edit', on: 'site', body: () => ({ name: 'New' }) },
  'DELETE /sites/:id': { ability: 'sites.delete', on: 'site' },
  'POST /sites/:id/owner': { ability: 'sites.handOver', on: 'site', body: () => ({ userId: stranger }) },
  'POST /sites/:id/widget-code': { ability: 'sites.edit', on: 'site' },
  'GET /sites/:id/identity-secret': { ability: 'sites.edit', on: 'site' },
  'POST /sites/:id/identity-secret': { ability: 'sites.edit', on: 'site' },
  'GET /sites/:id/installation': { ability: 'sites.read', on: 'site' },
  'GET /sites/:id/usage': { ability: 'sites.edit', on: 'site' },
  'GET /sites/:id/greetings': { ability: 'sites.edit', on: 'site' },
  'GET /sites/:id/imports': { ability: 'history.import', on: 'site' },
  'POST /sites/:id/imports': { ability: 'history.import', on: 'site', body: () => ({ any: 'bytes' }) },
  'GET /sites/:id/imports/:importId': { ability: 'history.import', on: 'site' },
  'POST /sites/:id/imports/:importId/run': {
    ability: 'history.import',
    on: 'site',
    body: () => ({
      columns: { conversation: 'id' },
      timeZone: 'UTC',
      dayFirst: true,
      dryRun: true,
    }),
  },
  'DELETE /sites/:id/imports/:importId': { ability: 'history.import', on: 'site' },
  'GET /sites/:id/webhooks': { ability: 'sites.edit', on: 'site' },
  'POST /sites/:id/webhooks': {
    ability: 'sites.edit',
    on: 'site',
    body: () => ({ url: 'https://hooks.invalid/', events: ['chat.closed'] }),
  },
  'PATCH /sites/:id/webhooks/:webhookId': {
    ability: 'sites.edit',
    on: 'site',
    body: () => ({ events: ['chat.rated'] }),
  },
  'DELETE /sites/:id/webhooks/:webhookId': { ability: 'sites.edit', on: 'site' },
  'GET /sites/:id/webhooks/:webhookId/secret': { ability: 'sites.edit', on: 'site' },
  'POST /sites/:id/webhooks/:webhookId/secret': { ability: 'sites.edit', on: 'site' },
  'POST /sites/:id/webhooks/:webhookId/test': { ability: 'sites.edit', on: 'site' },
  'GET /sites/:id/webhooks/:webhookId/deliveries': { ability: 'sites.edit', on: 'site' },
  'POST /sites/:id/webhooks/:webhookId/deliveries/:deliveryId/resend': { ability: 'sites.edit', on: 'site' },
  'GET /notices': { self: true },
  'GET /sites/:id/visitors': { ability: 'visitors.read', on: 'site' },

  'GET /team/members': { ability: 'team.read', on: 'site', by: 'query' },
  'PATCH /team/members/:id': {
    ability: 'team.manage',
    on: 'site',
    by: 'body',
    path: () => stranger,
    body: () => ({ role: 'agent' }),
  },
  'DELETE /team/members/me': { ability: 'team.leave', on: 'site', by: 'body' },
  'DELETE /team/members/:id': { ability: 'team.manage', on: 'site', by: 'body', path: () => stranger },
  'GET /team/invites': { ability: 'team.manage', on: 'site', by: 'query' },
  'POST /team/invites': { ability: 'team.manage', on: 'site', by: 'body', body: () => ({ email: 'x@example.com' }) },
  'POST /team/invites/:inviteId/resend': { ability: 'team.manage', on: 'invite' },
  'DELETE /team/invites/:inviteId': { ability: 'team.manage', on: 'invite' },
  'GET /invites/:inviteId': { open: true },
  'POST /invites/:inviteId/accept': { self: true },

  'GET /inbox/counts': { self: true },
  'GET /inbox/tags': { self: true },
  'GET /inbox/views': { self: true },
  'POST /inbox/views': { self: true, body: {} },
  'PUT /inbox/views': { self: true, body: {} },
  'PUT /inbox/views/:id': { self: true, body: {} },
  'DELETE /inbox/views/:id': { self: true },
  'GET /chats': { self: true },
  'GET /chats/history': { self: true },
  'GET /chats/supporters': { self: true },
  'GET /chats/export': { self: true },
  'POST /chats/bulk': { self: true, body: {} },
  'GET /chats/:id/export': { ability: 'chats.read', on: 'chat' },
  'GET /search': { self: true },
  'GET /overview': { self: true },
  'GET /reports': { self: true },
  'GET /reports/export': { self: true },
  'GET /chats/site/:siteId': { ability: 'chats.read', on: 'site' },
  'GET /chats/:id': { ability: 'chats.read', on: 'chat' },
  'GET /chats/:id/search': { ability: 'chats.read', on: 'chat' },
  'GET /chats/:id/messages': { ability: 'chats.read', on: 'chat' },
  'POST /chats/:id/messages': { ability: 'chats.reply', on: 'chat', body: () => ({ content: 'Matrix' }) },
  'POST /chats/:id/message': { ability: 'chats.reply', on: 'chat', body: () => ({ text: 'Matrix' }) },
  'PATCH /chats/:id/messages/:messageId': { ability: 'chats.reply', on: 'chat', body: () => ({ content: 'Other' }) },
  'DELETE /chats/:id/messages/:messageId': { ability: 'chats.reply', on: 'chat' },
  'POST /chats/:id/files': { ability: 'chats.reply', on: 'chat', body: () => ({ any: 'bytes' }) },
  'GET /files/:key': { open: true },
  'POST /chats/:id/claim': { ability: 'chats.reply', on: 'chat' },
  'POST /chats/:id/close': { ability: 'chats.reply', on: 'chat' },
  'POST /chats/:id/reopen': { ability: 'chats.reply', on: 'chat' },
  'POST /chats/:id/unread': { ability: 'chats.reply', on: 'chat' },
  'PUT /chats/:id/snooze': { ability: 'chats.reply', on: 'chat', body: soon },
  'DELETE /chats/:id/snooze': { ability: 'chats.reply', on: 'chat' },
  'POST /chats/:id/transfer': { ability: 'chats.reply', on: 'chat', body: () => ({ userId: null }) },
  'POST /chats/:id/read': { ability: 'chats.read', on: 'chat', body: () => ({ seq: 1 }) },
  'GET /chats/:id/notes': { ability: 'chats.read', on: 'chat' },
  'POST /chats/:id/notes': { ability: 'chats.reply', on: 'chat', body: () => ({ content: 'Note' }) },
  'GET /mentions': { self: true },
  'POST /notifications/actions': { open: true },
  'POST /chats/:id/mentions/read': { ability: 'chats.read', on: 'chat' },
  'PUT /chats/:id/tags': { ability: 'chats.reply', on: 'chat', body: () => ({ tags: ['new'] }) },
  'POST /chats/:id/tags': { ability: 'chats.reply', on: 'chat', body: () => ({ tags: ['new'] }) },
  'DELETE /chats/:id': { ability: 'chats.delete', on: 'chat' },

  'GET /canned-replies': { ability: 'replies.read', on: 'site', by: 'query' },
  'POST /canned-replies': {
    ability: 'replies.edit',
    on: 'site',
    by: 'body',
    body: () => ({ shortcut: 'bye', content: 'Goodbye' }),
  },
  'PATCH /canned-replies/:id': { ability: 'replies.edit', on: 'reply', body: () => ({ content: 'Hello' }) },
  'POST /canned-replies/:id/files': { ability: 'replies.edit', on: 'reply', body: () => ({ any: 'bytes' }) },
  'GET /canned-replies/export': { ability: 'replies.read', on: 'site', by: 'query' },
  'POST /canned-replies/import': { ability: 'chats.reply', on: 'site', by: 'query', body: () => ({ any: 'bytes' }) },
  'DELETE /canned-replies/:id': { ability: 'replies.edit', on: 'reply' },

  'GET /sites/:id/help-center': { ability: 'articles.read', on: 'site' },
  'PATCH /sites/:id/help-center': { ability: 'sites.edit', on: 'site', body: () => ({ widget: 'first', rev: 0 }) },
  'PUT /sites/:id/help-center/categories': {
    ability: 'articles.edit',
    on: 'site',
    body: () => ({ categories: [], rev: 0 }),
  },
  'GET /sites/:id/articles': { ability: 'articles.read', on: 'site' },
  'POST /sites/:id/articles': { ability: 'articles.edit', on: 'site', body: () => ({ title: 'Returns' }) },
  'PUT /sites/:id/articles/order': {
    ability: 'articles.edit',
    on: 'site',
    body: ({ ids }) => ({ category: null, articles: [ids.article] }),
  },
  'POST /sites/:id/articles/preview': { ability: 'articles.read', on: 'site', body: () => ({ text: '*Hi*' }) },
  'GET /articles/:id': { ability: 'articles.read', on: 'article' },
  'PATCH /articles/:id': { ability: 'articles.edit', on: 'article', body: () => ({ status: 'archived' }) },
  'DELETE /articles/:id': { ability: 'articles.edit', on: 'article' },
  'PUT /articles/:id/texts/:lang': { ability: 'articles.edit', on: 'article', body: () => ({ text: 'Hi', rev: 0 }) },
  'DELETE /articles/:id/texts/:lang': { ability: 'articles.edit', on: 'article' },
  'POST /articles/:id/pictures': { ability: 'articles.edit', on: 'article', body: () => ({ any: 'bytes' }) },
  'POST /articles/:id/publish': { ability: 'articles.edit', on: 'article', body: () => ({}) },
  'GET /articles/:id/versions': { ability: 'articles.read', on: 'article' },
  'GET /articles/:id/versions/:versionId': { ability: 'articles.read', on: 'article' },
  'POST /articles/:id/versions/:versionId/restore': {
    ability: 'articles.edit',
    on: 'article',
    body: () => ({ rev: 1 }),
  },

  'GET /self-check': { self: true },
  'POST /self-check/push': { self: true },
  'GET /push/key': { self: true },
  'POST /push/subscriptions': { self: true, body: {} },
  'DELETE /push/subscriptions': { self: true, body: {} },

  'GET /admin/overview': { platform: true },
  'GET /admin/users': { platform: true },
  'PATCH /admin/users/:id': { platform: true, body: { role: 'user' } },
  'GET /admin/audit': { platform: true },

  'GET /visitors/:id/chats': { ability: 'visitors.read', on: 'visitor' },
  'GET /visitors/:id/export': { ability: 'visitors.read', on: 'visitor' },
  'PATCH /visitors/:id': { ability: 'visitors.edit', on: 'visitor', body: () => ({ name: 'Vera Lund' }) },
  'PUT /visitors/:id/note': { ability: 'visitors.edit', on: 'visitor', body: () => ({ content: 'Regular' }) },
  'DELETE /visitors/:id': { ability: 'visitors.erase', on: 'visitor' },
  'POST /visitors/:id/block': { ability: 'visitors.block', on: 'visitor' },
  'DELETE /visitors/:id/block': { ability: 'visitors.block', on: 'visitor' },
  'POST /visitors/:id/chats': { ability: 'chats.reply', on: 'visitor', body: () => ({ content: 'Can I help?' }) },

  'GET /widget/:widgetCode': { open: true },
  'POST /widget/:widgetCode/session': { open: true },
  'POST /widget/:widgetCode/messages': { visitor: true, body: message },
  'POST /widget/:widgetCode/offline': {
    visitor: true,
    body: () => ({ ...message(), name: 'Vera', email: 'vera@example.com' }),
  },
  'POST /widget/:widgetCode/files': { visitor: true, body: () => ({ any: 'bytes' }) },
  'POST /widget/:widgetCode/poll': { visitor: true, body: () => ({}) },
  'POST /widget/:widgetCode/requests': { visitor: true, body: () => ({ event: 'sync', ask: {} }) },
  'POST /widget/:widgetCode/rating': { visitor: true, body: ({ ids }) => ({ chatId: ids.chat, score: 5 }) },
  'POST /widget/:widgetCode/greetings': { open: true },
  'POST /widget/:widgetCode/resume': { open: true },
  'POST /widget/:widgetCode/transcript': { visitor: true, body: ({ ids }) => ({ chatId: ids.chat }) },
  'DELETE /widget/:widgetCode/me': { visitor: true },

  'POST /self-check/mail': { self: true },
};

/** Who may ask for an event of the dashboard's socket. */
export type EventRule = { ability: Ability; ask: object } | { self: true };

export const STAFF_EVENTS: Record<string, EventRule> = {
  set_availability: { self: true },
  report_activity: { self: true },
  sync: { self: true },
  send_message: { ability: 'chats.reply', ask: { clientId: randomUUID(), content: 'Matrix' } },
  open_chat: { ability: 'chats.read', ask: {} },
  leave_chat: { ability: 'chats.read', ask: {} },
  typing: { ability: 'chats.reply', ask: { isTyping: true } },
  received: { ability: 'chats.read', ask: { seq: 1 } },
  read: { ability: 'chats.read', ask: { seq: 1 } },
  claim_chat: { ability: 'chats.reply', ask: {} },
  close_chat: { ability: 'chats.reply', ask: {} },
};

/** The events of a widget's socket: those that name a chat may name the own one only. */
export const VISITOR_EVENTS: Record<string, { ask: object; ofMessage?: true } | { self: true }> = {
  send_message: { self: true },
  sync: { self: true },
  page: { self: true },
  typing: { self: true },
  received: { ask: { seq: 1 } },
  read: { ask: { seq: 1 } },
  edit_message: { ask: { content: 'Other' }, ofMessage: true },
  delete_message: { ask: {}, ofMessage: true },
  close_chat: { ask: {} },
  rate: { ask: { score: 5 } },
};
