import type { Router } from 'express';
import type { SignedInGuard } from '#features/auth';
import { requirement, type SiteDoc, siteFor } from '#features/sites';
import { endpoints, type Limits } from '#platform/http';
import { addRule, changeRule, newRule, orderRules, removeRule, rulesView } from './actions.ts';
import type { RulesApi } from './contract.ts';
import { runsOfSite } from './model.ts';
import { ruleOrderSchema, rulePatchSchema, ruleRunsSchema, ruleSchema } from './schemas.ts';
import { tryRule } from './trial.ts';

interface RuleDeps {
  signedIn: SignedInGuard;
  limits: Limits;
  now: () => number;
}

/** The calls of rules. */
export function ruleRoutes({ signedIn: { orKey }, limits, now }: RuleDeps): Router {
  const { router, on } = endpoints<RulesApi>();
  const onSite = requirement(siteFor);
  const reads = { authenticate: orKey.read, authorize: onSite('sites.read') };
  const edits = { authenticate: orKey.manage, authorize: onSite('sites.edit') };
  const allOf = (site: SiteDoc) => ({ data: { rules: rulesView(site) } });

  on('GET /sites/:id/rules', reads, async ({ access: { site } }) => allOf(site));

  on('POST /sites/:id/rules', { ...edits, body: ruleSchema }, async ({ access, caller, body }) => ({
    status: 201,
    ...allOf(await addRule(access.site, caller, body)),
  }));

  on('PUT /sites/:id/rules', { ...edits, body: ruleOrderSchema }, async ({ access, caller, body }) =>
    allOf(await orderRules(access.site, caller, body.ids)),
  );

  on('PATCH /sites/:id/rules/:ruleId', { ...edits, body: rulePatchSchema }, async ({ access, caller, params, body }) =>
    allOf(await changeRule(access.site, caller, params.ruleId, body)),
  );

  on('DELETE /sites/:id/rules/:ruleId', edits, async ({ access, caller, params }) =>
    allOf(await removeRule(access.site, caller, params.ruleId)),
  );

  on('GET /sites/:id/rules/runs', { ...reads, query: ruleRunsSchema }, async ({ access, query }) => ({
    data: await runsOfSite(access.site._id, query),
  }));

  on('POST /sites/:id/rules/trial', { ...edits, body: ruleSchema }, async ({ access, caller, body }) => {
    const rule = newRule(body);
    // Each reads a hundred chats.
    await limits.take('ruleTrialsPerAccount', caller.user._id.toHexString());
    return { data: await tryRule(access.site, rule, now()) };
  });

  return router;
}
