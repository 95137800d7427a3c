export { ASSISTANT_DEFAULTS, type AssistantDoc } from './assistantModel.ts';
export { joinSites } from './broadcast.ts';
export {
  liveSite,
  memberFor,
  memberOf,
  mustBeAble,
  repliersOf,
  requirement,
  type SiteAccess,
  siteAccess,
  siteByCode,
  siteFor,
  sitesInQuery,
  sitesOf,
  sitesOfUser,
  sitesOwnedBy,
} from './guards.ts';
export { openIdentitySecret } from './identitySecret.ts';
export { crossesNodesWithSite, eachSite, type SiteDoc, SiteModel, siteCache, uncachedSite } from './model.ts';
export { type Purger, startPurge } from './purge.ts';
export { appearanceView, launcherOfSite, preChatView } from './view.ts';
export { hasSubscriber, kindOf, type SiteWithWebhooks, switchedOffAt, type WebhookDoc } from './webhookModel.ts';
export { greetingsOf } from './widget/greetings.ts';
export { isOpen, siteIsOnline } from './widget/officeHours.ts';
export {
  allowsOrigin,
  createInstallations,
  type Installations,
  installationView,
  normalizeDomain,
  RESUME_PATH,
} from './widget/origins.ts';
