import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Delivery, Webhook, WebhookBody, WebhookPatch } from 'server/contract';
import { call } from '../../lib/api.ts';

/** Beside those of `lib/query.ts`, which every screen of the dashboard loads. */
const keys = {
  webhooks: (siteId: string) => ['webhooks', siteId] as const,
  deliveries: (webhookId: string) => ['deliveries', webhookId] as const,
};
/** Whoever looks at the log sees what happens to a delivery this soon. */
const LOG_EVERY_MS = 3_000;

export function useWebhooks(siteId: string) {
  return useQuery({
    queryKey: keys.webhooks(siteId),
    queryFn: async ({ signal }) => (await call('GET /sites/:id/webhooks', { params: { id: siteId }, signal })).webhooks,
    staleTime: 0,
  });
}

function useCacheWebhook(siteId: string) {
  const queryClient = useQueryClient();
  return (webhook: Webhook) =>
    queryClient.setQueryData<Webhook[]>(keys.webhooks(siteId), (known = []) =>
      known.some(({ _id }) => _id === webhook._id)
        ? known.map((each) => (each._id === webhook._id ? webhook : each))
        : [...known, webhook],
    );
}

/** Adds a webhook; the answer has its secret, if it signs. */
export function useAddWebhook(siteId: string) {
  const keep = useCacheWebhook(siteId);
  return useMutation({
    mutationFn: (body: WebhookBody) => call('POST /sites/:id/webhooks', { params: { id: siteId }, body }),
    onSuccess: ({ webhook }) => keep(webhook),
  });
}

/** Changes a webhook, or switches it on or off. */
export function usePatchWebhook(siteId: string, webhookId: string) {
  const keep = useCacheWebhook(siteId);
  return useMutation({
    mutationFn: async (body: WebhookPatch) =>
      (await call('PATCH /sites/:id/webhooks/:webhookId', { params: { id: siteId, webhookId }, body })).webhook,
    onSuccess: keep,
  });
}

/** Deletes a webhook with its log. */
export function useDeleteWebhook(siteId: string, webhookId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => call('DELETE /sites/:id/webhooks/:webhookId', { params: { id: siteId, webhookId } }),
    onSuccess: () =>
      queryClient.setQueryData<Webhook[]>(keys.webhooks(siteId), (known) =>
        known?.filter(({ _id }) => _id !== webhookId),
      ),
  });
}

/** Shows a webhook's secret or makes a new one. Kept nowhere but on the screen that asked. */
export function useWebhookSecret(siteId: string, webhookId: string) {
  const params = { id: siteId, webhookId };
  return useMutation({
    mutationFn: async (how: 'show' | 'renew') =>
      how === 'show'
        ? (await call('GET /sites/:id/webhooks/:webhookId/secret', { params })).secret
        : (await call('POST /sites/:id/webhooks/:webhookId/secret', { params })).secret,
    gcTime: 0,
  });
}

/** The last deliveries of a webhook, for as long as they are looked at. */
export function useDeliveries(siteId: string, webhookId: string) {
  const params = { id: siteId, webhookId };
  return useQuery({
    queryKey: keys.deliveries(webhookId),
    queryFn: async ({ signal }) =>
      (await call('GET /sites/:id/webhooks/:webhookId/deliveries', { params, signal })).deliveries,
    staleTime: 0,
    refetchInterval: LOG_EVERY_MS,
  });
}

/** Sends a test, and says what came of it. */
export function useTestWebhook(siteId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (webhookId: string): Promise<Delivery> =>
      (await call('POST /sites/:id/webhooks/:webhookId/test', { params: { id: siteId, webhookId } })).delivery,
    onSuccess: (_delivery, webhookId) => queryClient.invalidateQueries({ queryKey: keys.deliveries(webhookId) }),
  });
}

export function useResend(siteId: string, webhookId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (deliveryId: string) =>
      call('POST /sites/:id/webhooks/:webhookId/deliveries/:deliveryId/resend', {
        params: { id: siteId, webhookId, deliveryId },
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keys.deliveries(webhookId) }),
  });
}
