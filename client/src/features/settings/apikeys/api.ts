import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ApiKey, ApiKeyBody } from 'server/contract';
import { call } from '../../../lib/api.ts';

const API_KEYS = ['api-keys'];

/** The user's API keys, newest first. */
export function useApiKeys() {
  return useQuery({
    queryKey: API_KEYS,
    queryFn: async ({ signal }) => (await call('GET /api-keys', { signal })).apiKeys,
    staleTime: 0,
  });
}

/** Makes an API key. The key itself is kept nowhere but on the screen that asked. */
export function useCreateApiKey() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: ApiKeyBody) => call('POST /api-keys', { body }),
    onSuccess: ({ apiKey }) => queryClient.setQueryData<ApiKey[]>(API_KEYS, (known = []) => [apiKey, ...known]),
    gcTime: 0,
  });
}

export function useRevokeApiKey() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call('DELETE /api-keys/:id', { params: { id } }),
    onSuccess: (_, id) =>
      queryClient.setQueryData<ApiKey[]>(API_KEYS, (known) => known?.filter(({ _id }) => _id !== id)),
  });
}
