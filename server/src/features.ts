import { account } from './account/feature.ts';
import { admin } from './admin/feature.ts';
import { apiKeys } from './apikeys/feature.ts';
import { assign } from './assign/feature.ts';
import { audit } from './audit/feature.ts';
import { auth } from './auth/feature.ts';
import { chats } from './chats/feature.ts';
import { cluster } from './cluster/feature.ts';
import { docs } from './docs/feature.ts';
import { exporting } from './exports/feature.ts';
import type { Feature } from './feature.ts';
import { files } from './files/feature.ts';
import { greetings } from './greetings/feature.ts';
import { history } from './history/feature.ts';
import { imports } from './imports/feature.ts';
import { inbox } from './inbox/feature.ts';
import { mail } from './mail/feature.ts';
import { notify } from './notify/feature.ts';
import { outages } from './outages/feature.ts';
import { overview } from './overview/feature.ts';
import { push } from './push/feature.ts';
import { releases } from './releases/feature.ts';
import { replies } from './replies/feature.ts';
import { reports } from './reports/feature.ts';
import { search } from './search/feature.ts';
import { selfcheck } from './selfcheck/feature.ts';
import { settings } from './settings/feature.ts';
import { sites } from './sites/feature.ts';
import { team } from './team/feature.ts';
import { twofactor } from './twofactor/feature.ts';
import { usage } from './usage/feature.ts';
import { visitors } from './visitors/feature.ts';
import { webhooks } from './webhooks/feature.ts';

/**
 * All features, in the order in which their routes are matched: `/chats/export` and `/chats/history` must come before
 * `/chats/:id`, which would take their last word as an id.
 */
export const FEATURES: Feature[] = [
  auth,
  twofactor,
  apiKeys,
  account,
  settings,
  sites,
  team,
  search,
  inbox,
  history,
  exporting,
  imports,
  overview,
  reports,
  replies,
  push,
  admin,
  selfcheck,
  files,
  chats,
  visitors,
  greetings,
  mail,
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
