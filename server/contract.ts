import type { AccountApi } from './src/account/contract.ts';
import type { AdminApi } from './src/admin/contract.ts';
import type { ApiKeysApi } from './src/apikeys/contract.ts';
import type { AuthApi, SessionEndReason } from './src/auth/contract.ts';
import type { BulkApi } from './src/chats/bulk/contract.ts';
import type { ChatsApi } from './src/chats/contract.ts';
import type { ChatEvents, ChatRequests } from './src/chats/events/contract.ts';
import type { SnoozeApi } from './src/chats/snooze/contract.ts';
import type { DocsApi } from './src/docs/contract.ts';
import type { ExportsApi } from './src/exports/contract.ts';
import type { FilesApi } from './src/files/contract.ts';
import type { GreetingsApi } from './src/greetings/contract.ts';
import type { HistoryApi } from './src/history/contract.ts';
import type { ImportsApi } from './src/imports/contract.ts';
import type { InboxApi, InboxEvents } from './src/inbox/contract.ts';
import type { NotifyApi, NotifyEvents } from './src/notify/contract.ts';
import type { OverviewApi } from './src/overview/contract.ts';
import type { PresenceEvents, PresenceRequests } from './src/presence/contract.ts';
import type { PushApi } from './src/push/contract.ts';
import type { RepliesApi } from './src/replies/contract.ts';
import type { ReportsApi } from './src/reports/contract.ts';
import type { SearchApi } from './src/search/contract.ts';
import type { SelfCheckApi } from './src/selfcheck/contract.ts';
import type { SettingsApi, SettingsEvents } from './src/settings/contract.ts';
import type { SiteEvents, SitesApi } from './src/sites/contract.ts';
import type { TeamApi, TeamEvents } from './src/team/contract.ts';
import type { TwoFactorApi } from './src/twofactor/contract.ts';
import type { UsageApi, UsageEvents } from './src/usage/contract.ts';
import type { VisitorsApi } from './src/visitors/contract.ts';
import type { PeopleApi, PeopleEvents } from './src/visitors/people/contract.ts';
import type { WebhooksApi } from './src/webhooks/contract.ts';

export * from './src/account/contract.ts';
export * from './src/admin/contract.ts';
export * from './src/apikeys/contract.ts';
export * from './src/auth/contract.ts';
export * from './src/backups/contract.ts';
export * from './src/chats/bulk/contract.ts';
export * from './src/chats/contract.ts';
export * from './src/chats/events/contract.ts';
export * from './src/chats/snooze/contract.ts';
export * from './src/cluster/contract.ts';
export * from './src/docs/contract.ts';
export * from './src/exports/contract.ts';
export * from './src/files/contract.ts';
export * from './src/greetings/contract.ts';
export * from './src/history/contract.ts';
export * from './src/http/contract.ts';
export * from './src/imports/contract.ts';
export * from './src/inbox/contract.ts';
export * from './src/notify/contract.ts';
export * from './src/outages/contract.ts';
export * from './src/overview/contract.ts';
export * from './src/presence/contract.ts';
export * from './src/push/contract.ts';
export * from './src/replies/contract.ts';
export * from './src/reports/contract.ts';
export * from './src/search/contract.ts';
export * from './src/selfcheck/contract.ts';
export * from './src/settings/contract.ts';
export * from './src/sites/contract.ts';
export * from './src/sites/launcher/contract.ts';
export * from './src/team/contract.ts';
export * from './src/twofactor/contract.ts';
export * from './src/usage/contract.ts';
export * from './src/visitors/contract.ts';
export * from './src/visitors/people/contract.ts';
export * from './src/webhooks/contract.ts';

/** The REST contract: one row a call, checked at both ends. */
export type Api = AuthApi &
  AccountApi &
  ApiKeysApi &
  TwoFactorApi &
  WebhooksApi &
  SettingsApi &
  SitesApi &
  TeamApi &
  ChatsApi &
  BulkApi &
  SnoozeApi &
  FilesApi &
  HistoryApi &
  ExportsApi &
  ImportsApi &
  SearchApi &
  InboxApi &
  OverviewApi &
  ReportsApi &
  RepliesApi &
  PushApi &
  DocsApi &
  AdminApi &
  SelfCheckApi &
  PeopleApi &
  NotifyApi &
  UsageApi &
  VisitorsApi &
  GreetingsApi;

/** What a dashboard socket hears. */
export type ServerToClientEvents = ChatEvents &
  PresenceEvents &
  SiteEvents &
  PeopleEvents &
  TeamEvents &
  InboxEvents &
  NotifyEvents &
  SettingsEvents &
  UsageEvents & {
    /** The session is over; the socket is closed right after. */
    session_ended: (fact: { reason: SessionEndReason }) => void;
  };

/** What a dashboard socket asks. */
export type ClientToServerEvents = ChatRequests & PresenceRequests;

/** The namespace of the widget's sockets; the dashboard's is `/`. */
export const VISITOR_NAMESPACE = '/visitor';

export const SOCKET_RECONNECT_MIN_MS = 1_000;
export const SOCKET_RECONNECT_MAX_MS = 5_000;
export const SOCKET_CONNECT_TIMEOUT_MS = 20_000;
/** How long a sender waits for an acknowledgement before it tries again. */
export const ACK_TIMEOUT_MS = 5_000;
