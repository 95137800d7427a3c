import type { Router } from 'express';
import type { Caller, SignedInGuard } from '#features/auth';
import { siteFor } from '#features/sites';
import { endpoints, type Limits } from '#platform/http';
import {
  addWebhook,
  changeSecret,
  changeWebhook,
  deliveriesOf,
  removeWebhook,
  resend,
  secretOf,
  sendTest,
  type WebhookAccess,
  type WebhookDeps,
  webhookOf,
} from './actions.ts';
import type { WebhooksApi } from './contract.ts';
import { webhooksOf } from './keys.ts';
import { webhookPatchSchema, webhookSchema } from './schemas.ts';
import { deliveryView, webhookView } from './view.ts';

interface RouteDeps extends WebhookDeps {
  signedIn: SignedInGuard;
  limits: Limits;
}

/** The calls of webhooks. */
export function webhookRoutes({ signedIn: { orKey }, limits, ...deps }: RouteDeps): Router {
  const { router, on } = endpoints<WebhooksApi>();
  const ofSite = {
    authenticate: orKey.manage,
    authorize: (caller: Caller, { id }: { id: string }) => siteFor(caller, id, 'sites.edit'),
  };
  const ofWebhook = {
    authenticate: orKey.manage,
    async authorize(caller: Caller, { id, webhookId }: { id: string; webhookId: string }): Promise<WebhookAccess> {
      return webhookOf((await siteFor(caller, id, 'sites.edit')).site, webhookId);
    },
  };
  const countSending = ({ site }: WebhookAccess) => limits.take('webhookTestsPerSite', site._id.toHexString());

  on('GET /sites/:id/webhooks', ofSite, async ({ access: { site } }) => ({
    data: { webhooks: (await webhooksOf(site, deps.now())).map((webhook) => webhookView(deps.secretBox, webhook)) },
  }));

  on('POST /sites/:id/webhooks', { ...ofSite, body: webhookSchema }, async ({ access: { site }, caller, body }) => {
    const { webhook, secret } = await addWebhook(deps, site, caller, body);
    return { status: 201, data: { webhook: webhookView(deps.secretBox, webhook), secret } };
  });

  on(
    'PATCH /sites/:id/webhooks/:webhookId',
    { ...ofWebhook, body: webhookPatchSchema },
    async ({ access, caller, body }) => ({
      data: { webhook: webhookView(deps.secretBox, await changeWebhook(deps, access, caller, body)) },
    }),
  );

  on('DELETE /sites/:id/webhooks/:webhookId', ofWebhook, async ({ access, caller }) => {
    await removeWebhook(access, caller);
    return { message: 'Webhook deleted', data: {} };
  });

  on('GET /sites/:id/webhooks/:webhookId/secret', ofWebhook, async ({ access }) => ({
    data: { secret: secretOf(deps, access) },
  }));

  on('POST /sites/:id/webhooks/:webhookId/secret', ofWebhook, async ({ access, caller }) => ({
    data: { secret: await changeSecret(deps, access, caller) },
  }));

  on('POST /sites/:id/webhooks/:webhookId/test', ofWebhook, async ({ access }) => {
    await countSending(access);
    return { data: { delivery: deliveryView(await sendTest(deps, access)) } };
  });

  on('GET /sites/:id/webhooks/:webhookId/deliveries', ofWebhook, async ({ access }) => ({
    data: { deliveries: (await deliveriesOf(access)).map(deliveryView) },
  }));

  on(
    'POST /sites/:id/webhooks/:webhookId/deliveries/:deliveryId/resend',
    ofWebhook,
    async ({ access, params: { deliveryId } }) => {
      await countSending(access);
      return { data: { delivery: deliveryView(await resend(deps, access, deliveryId)) } };
    },
  );

  return router;
}
