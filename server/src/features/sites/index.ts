export { ASSISTANT_DEFAULTS, type AssistantDoc } from './assistantModel.ts';
export { joinSites } from './broadcast.ts';
export type { DepartmentDoc } from './departmentModel.ts';
export {
  departmentInCharge,
  departmentIsOnline,
  departmentOf,
  departmentsForVisitors,
  departmentsOf,
  helpDueAt,
  hoursOfDepartment,
  isOnlineFor,
  membersOfDepartment,
  repliersFor,
} from './departments.ts';
export { buttonsForVisitors, buttonsVersion, leadsOn } from './flows/forVisitors.ts';
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
export { OFFICE_HOURS_JSON_SCHEMA, siteIsOnline, toOfficeHours, visitorAvailability } from './hours/officeHours.ts';
export { holidayAt, isOpen } from './hours/openings.ts';
export { openIdentitySecret } from './identitySecret.ts';
export { changedMeanwhile, changeList, inOrder, positionOf } from './lists.ts';
export { crossesNodesWithSite, eachSite, type SiteDoc, SiteModel, siteCache, uncachedSite } from './model.ts';
export { type Purger, startPurge } from './purge.ts';
export { type RuleDoc, rulesFor, rulesOf, type SiteWithRules } from './ruleModel.ts';
export { mainAnswers, siteIn } from './texts/siteIn.ts';
export { appearanceView, launcherOfSite, preChatView } from './view.ts';
export { hasSubscriber, kindOf, type SiteWithWebhooks, switchedOffAt, type WebhookDoc } from './webhookModel.ts';
export { greetingsOf } from './widget/greetings.ts';
export {
  allowsOrigin,
  createInstallations,
  type Installations,
  installationView,
  normalizeDomain,
  RESUME_PATH,
} from './widget/origins.ts';
