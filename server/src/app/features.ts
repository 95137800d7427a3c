import { account } from '#features/account/feature';
import { admin } from '#features/admin/feature';
import { apiKeys } from '#features/apikeys/feature';
import { articles } from '#features/articles/feature';
import { assign } from '#features/assign/feature';
import { assistant } from '#features/assistant/feature';
import { audit } from '#features/audit/feature';
import { auth } from '#features/auth/feature';
import { chatpage } from '#features/chatpage/feature';
import { chats } from '#features/chats/feature';
import { departments } from '#features/departments/feature';
import { docs } from '#features/docs/feature';
import { exporting } from '#features/exports/feature';
import { greetings } from '#features/greetings/feature';
import { help } from '#features/help/feature';
import { history } from '#features/history/feature';
import { imports } from '#features/imports/feature';
import { inbox } from '#features/inbox/feature';
import { mailin } from '#features/mailin/feature';
import { notify } from '#features/notify/feature';
import { oidc } from '#features/oidc/feature';
import { outages } from '#features/outages/feature';
import { overview } from '#features/overview/feature';
import { replies } from '#features/replies/feature';
import { reports } from '#features/reports/feature';
import { rules } from '#features/rules/feature';
import { search } from '#features/search/feature';
import { selfcheck } from '#features/selfcheck/feature';
import { settings } from '#features/settings/feature';
import { sites } from '#features/sites/feature';
import { suggestions } from '#features/suggestions/feature';
import { team } from '#features/team/feature';
import { twofactor } from '#features/twofactor/feature';
import { usage } from '#features/usage/feature';
import { visitors } from '#features/visitors/feature';
import { webhooks } from '#features/webhooks/feature';
import { cluster } from '#platform/cluster/feature';
import { files } from '#platform/files/feature';
import { mail } from '#platform/mail/feature';
import { push } from '#platform/push/feature';
import { releases } from '#platform/releases/feature';
import type { Feature } from './feature.ts';

/**
 * All features, in the order in which their routes are matched: `/chats/export` and `/chats/history` must come before
 * `/chats/:id`, which would take their last word as an id.
 */
export const FEATURES: Feature[] = [
  auth,
  twofactor,
  oidc,
  apiKeys,
  account,
  settings,
  sites,
  chatpage,
  team,
  departments,
  rules,
  search,
  inbox,
  history,
  exporting,
  imports,
  overview,
  reports,
  replies,
  articles,
  help,
  assistant,
  suggestions,
  push,
  admin,
  selfcheck,
  files,
  chats,
  visitors,
  greetings,
  mail,
  mailin,
  notify,
  webhooks,
  usage,
  outages,
  docs,
  audit,
  assign,
  cluster,
  releases,
];
