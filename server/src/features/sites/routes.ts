import type { Router } from 'express';
import type { Caller, SignedInGuard } from '#features/auth';
import { endpoints, type Limits } from '#platform/http';
import type { SecretBox } from '#platform/secrets';
import { changeWidgetCode, createSite, deleteSite, updateSite } from './actions.ts';
import type { Site, SitesApi } from './contract.ts';
import { reachesAllSites, requirement, siteFor, sitesOf } from './guards.ts';
import { changeIdentitySecret, identitySecretOf } from './identitySecret.ts';
import type { SiteDoc } from './model.ts';
import { sitePatchSchema, siteSchema } from './schemas.ts';
import { type CountChats, siteViews } from './view.ts';
import { installationView } from './widget/origins.ts';

export interface SiteDeps {
  signedIn: SignedInGuard;
  sitesPerAccount: number;
  limits: Limits;
  secretBox: SecretBox;
  countChats: CountChats;
}

/** The calls of sites. */
export function siteRoutes({ signedIn: { orKey }, sitesPerAccount, limits, secretBox, countChats }: SiteDeps): Router {
  const { router, on } = endpoints<SitesApi>();
  const requires = requirement(siteFor);

  async function view(site: SiteDoc, caller: Caller): Promise<{ site: Site }> {
    const [seen] = await siteViews([site], caller, countChats);
    return { site: seen as Site };
  }

  on('GET /sites', { authenticate: orKey.read }, async ({ caller }) => ({
    data: { sites: await siteViews(await sitesOf(caller), caller, countChats), limit: sitesPerAccount },
  }));

  on(
    'POST /sites',
    { authenticate: orKey.manage, authorize: reachesAllSites, body: siteSchema },
    async ({ caller, body }) => {
      await limits.take('newSitesPerAccount', caller.user._id.toHexString());
      const site = await createSite(caller, body, sitesPerAccount);
      return { status: 201, data: await view(site, caller) };
    },
  );

  on('GET /sites/:id', { authenticate: orKey.read, authorize: requires('sites.read') }, async ({ access, caller }) => ({
    data: await view(access.site, caller),
  }));

  on(
    'PUT /sites/:id',
    { authenticate: orKey.manage, authorize: requires('sites.edit'), body: siteSchema },
    async ({ access, body, caller }) => ({
      data: await view(await updateSite(access.site, body, caller), caller),
    }),
  );

  on(
    'PATCH /sites/:id',
    { authenticate: orKey.manage, authorize: requires('sites.edit'), body: sitePatchSchema },
    async ({ access, body, caller }) => ({
      data: await view(await updateSite(access.site, body, caller), caller),
    }),
  );

  on(
    'DELETE /sites/:id',
    { authenticate: orKey.manage, authorize: requires('sites.delete') },
    async ({ access, caller }) => {
      await deleteSite(access.site, caller);
      return { message: 'Website deleted', data: {} };
    },
  );

  on(
    'GET /sites/:id/installation',
    { authenticate: orKey.read, authorize: requires('sites.read') },
    async ({ access }) => ({
      data: { installation: installationView(access.site) },
    }),
  );

  on(
    'POST /sites/:id/widget-code',
    { authenticate: orKey.manage, authorize: requires('sites.edit') },
    async ({ access, caller }) => ({
      data: await view(await changeWidgetCode(access.site, caller), caller),
    }),
  );

  on(
    'GET /sites/:id/identity-secret',
    { authenticate: orKey.manage, authorize: requires('sites.edit') },
    async ({ access }) => ({
      data: { secret: await identitySecretOf(secretBox, access.site) },
    }),
  );

  on(
    'POST /sites/:id/identity-secret',
    { authenticate: orKey.manage, authorize: requires('sites.edit') },
    async ({ access, caller }) => ({
      data: { secret: await changeIdentitySecret(secretBox, access.site, caller) },
    }),
  );

  return router;
}
