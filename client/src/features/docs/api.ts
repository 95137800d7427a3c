import { useQuery } from '@tanstack/react-query';
import type { Api, DocPart } from 'server/contract';
import { call } from '../../lib/api.ts';

/** One page of the documentation; each has fields of its own, told apart by their names. */
export type Doc = Api['GET /docs' | `GET /docs/${DocPart}`]['data'];

/** A page of the documentation, which does not change while it is open. */
export function useDoc(part: 'overview' | DocPart) {
  return useQuery({
    queryKey: ['docs', part],
    queryFn: ({ signal }): Promise<Doc> =>
      part === 'overview' ? call('GET /docs', { signal }) : call(`GET /docs/${part}`, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
