import type { AccountApi } from './src/features/account/contract.ts';
import type { AdminApi } from './src/features/admin/contract.ts';
import type { ApiKeysApi } from './src/features/apikeys/contract.ts';
import type { ArticleEvents, ArticleReadersApi, ArticlesApi } from './src/features/articles/contract.ts';
import type { AssistApi, DraftApi } from './src/features/assistant/contract.ts';
import type { AssistantRunsApi } from './src/features/assistant/runs/contract.ts';
import type { AuthApi, SessionEndReason } from './src/features/auth/contract.ts';
import type { ChatPageApi } from './src/features/chatpage/contract.ts';
import type { BulkApi } from './src/features/chats/bulk/contract.ts';
import type { ChatsApi } from './src/features/chats/contract.ts';
import type { ChatEvents, ChatRequests } from './src/features/chats/events/contract.ts';
import type { SnoozeApi } from './src/features/chats/snooze/contract.ts';
import type { TurnsApi } from './src/features/chats/turns/contract.ts';
import type { DepartmentsApi } from './src/features/departments/contract.ts';
import type { DocsApi } from './src/features/docs/contract.ts';
import type { ExportsApi } from './src/features/exports/contract.ts';
import type { GreetingsApi } from './src/features/greetings/contract.ts';
import type { HistoryApi } from './src/features/history/contract.ts';
import type { ImportsApi } from './src/features/imports/contract.ts';
import type { InboxApi, InboxEvents } from './src/features/inbox/contract.ts';
import type { MailInApi } from './src/features/mailin/contract.ts';
import type { NotifyApi, NotifyEvents } from './src/features/notify/contract.ts';
import type { OidcApi } from './src/features/oidc/contract.ts';
import type { OverviewApi } from './src/features/overview/contract.ts';
import type { PresenceEvents, PresenceRequests } from './src/features/presence/contract.ts';
import type { RepliesApi } from './src/features/replies/contract.ts';
import type { ReportsApi } from './src/features/reports/contract.ts';
import type { RulesApi } from './src/features/rules/contract.ts';
import type { SearchApi } from './src/features/search/contract.ts';
import type { SelfCheckApi } from './src/features/selfcheck/contract.ts';
import type { SettingsApi, SettingsEvents } from './src/features/settings/contract.ts';
import type { SiteEvents, SitesApi } from './src/features/sites/contract.ts';
import type { FlowsApi } from './src/features/sites/flows/contract.ts';
import type { SuggestionsApi } from './src/features/suggestions/contract.ts';
import type { TeamApi, TeamEvents } from './src/features/team/contract.ts';
import type { TwoFactorApi } from './src/features/twofactor/contract.ts';
import type { UsageApi, UsageEvents } from './src/features/usage/contract.ts';
import type { VisitorsApi } from './src/features/visitors/contract.ts';
import type { PeopleApi, PeopleEvents } from './src/features/visitors/people/contract.ts';
import type { WebhooksApi } from './src/features/webhooks/contract.ts';
import type { FilesApi } from './src/platform/files/contract.ts';
import type { PushApi } from './src/platform/push/contract.ts';

export * from './src/features/account/contract.ts';
export * from './src/features/admin/contract.ts';
export * from './src/features/apikeys/contract.ts';
export * from './src/features/articles/contract.ts';
export * from './src/features/assistant/contract.ts';
export * from './src/features/assistant/runs/contract.ts';
export * from './src/features/auth/contract.ts';
export * from './src/features/backups/contract.ts';
export * from './src/features/chatpage/contract.ts';
export * from './src/features/chats/bulk/contract.ts';
export * from './src/features/chats/contract.ts';
export * from './src/features/chats/events/contract.ts';
export * from './src/features/chats/snooze/contract.ts';
export * from './src/features/chats/turns/contract.ts';
export * from './src/features/departments/contract.ts';
export * from './src/features/docs/contract.ts';
export * from './src/features/exports/contract.ts';
export * from './src/features/greetings/contract.ts';
export * from './src/features/history/contract.ts';
export * from './src/features/imports/contract.ts';
export * from './src/features/inbox/contract.ts';
export * from './src/features/mailin/contract.ts';
export * from './src/features/notify/contract.ts';
export * from './src/features/oidc/contract.ts';
export * from './src/features/outages/contract.ts';
export * from './src/features/overview/contract.ts';
export * from './src/features/presence/contract.ts';
export * from './src/features/replies/contract.ts';
export * from './src/features/reports/contract.ts';
export * from './src/features/rules/contract.ts';
export * from './src/features/search/contract.ts';
export * from './src/features/selfcheck/contract.ts';
export * from './src/features/settings/contract.ts';
export * from './src/features/sites/contract.ts';
export * from './src/features/sites/flows/contract.ts';
export * from './src/features/sites/hours/contract.ts';
export * from './src/features/sites/launcher/contract.ts';
export * from './src/features/sites/texts/contract.ts';
export * from './src/features/suggestions/contract.ts';
export * from './src/features/team/contract.ts';
export * from './src/features/twofactor/contract.ts';
export * from './src/features/usage/contract.ts';
export * from './src/features/visitors/contract.ts';
export * from './src/features/visitors/people/contract.ts';
export * from './src/features/webhooks/contract.ts';
export * from './src/platform/cluster/contract.ts';
export * from './src/platform/files/contract.ts';
export * from './src/platform/http/contract.ts';
export * from './src/platform/push/contract.ts';
export * from './src/platform/text/formatting/contract.ts';

/** The REST contract: one row a call, checked at both ends. */
export type Api = AuthApi &
  AccountApi &
  ApiKeysApi &
  TwoFactorApi &
  OidcApi &
  WebhooksApi &
  SettingsApi &
  SitesApi &
  ChatPageApi &
  TeamApi &
  DepartmentsApi &
  RulesApi &
  ChatsApi &
  TurnsApi &
  BulkApi &
  SnoozeApi &
  AssistantRunsApi &
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
  GreetingsApi &
  FlowsApi &
  ArticlesApi &
  ArticleReadersApi &
  AssistApi &
  DraftApi &
  SuggestionsApi &
  MailInApi;

/** What a dashboard socket hears. */
export type ServerToClientEvents = ChatEvents &
  PresenceEvents &
  SiteEvents &
  PeopleEvents &
  TeamEvents &
  InboxEvents &
  NotifyEvents &
  SettingsEvents &
  UsageEvents &
  ArticleEvents & {
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
