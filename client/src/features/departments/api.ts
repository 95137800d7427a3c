import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Chat, Department, DepartmentBody, DepartmentPatch } from 'server/contract';
import { call } from '../../lib/api.ts';
import { keys } from '../../lib/query.ts';
import { type ListOrder, useChangeList } from '../../shared/changeList.ts';

const departmentsQuery = (siteId: string) => ({
  queryKey: keys.departments(siteId),
  queryFn: async ({ signal }: { signal: AbortSignal }) =>
    (await call('GET /sites/:id/departments', { params: { id: siteId }, signal })).departments,
});

/** The departments of a site, in their order. */
export function useDepartments(siteId: string | undefined) {
  return useQuery({ ...departmentsQuery(siteId ?? ''), enabled: siteId !== undefined });
}

/** The departments of several sites, as far as they are known. @param siteIds whose */
export function useDepartmentsOf(siteIds: readonly string[]): Department[] {
  return useQueries({ queries: siteIds.map(departmentsQuery), combine: together });
}

/** The departments of the sites of these chats, read only where a chat is for one. */
export function useDepartmentsOfChats(chats: readonly Chat[]): Department[] {
  return useDepartmentsOf([...new Set(chats.flatMap(({ department, site }) => (department ? site._id : [])))]);
}

/** Reads the departments of a site, unless they are known; none where that fails. */
export function useReadDepartments(): (siteId: string) => Promise<Department[]> {
  const client = useQueryClient();
  return (siteId) => client.fetchQuery(departmentsQuery(siteId)).catch(() => []);
}

const together = (results: readonly { data?: Department[] | undefined }[]) => results.flatMap(({ data = [] }) => data);

/** One change of a site's departments. */
export type DepartmentChange =
  | { do: 'add'; body: DepartmentBody }
  | { do: 'change'; id: string; body: DepartmentPatch }
  | ListOrder
  | { do: 'remove'; id: string };

/** Changes the departments of a site. */
export function useChangeDepartments(siteId: string) {
  const client = useQueryClient();
  return useChangeList<Department, DepartmentChange>({
    queryKey: keys.departments(siteId),
    ask: async (change) => (await askFor(siteId, change)).departments,
    onChanged: (change) => {
      // Chats carry the name.
      if (change.do === 'change' || change.do === 'remove')
        for (const each of keys.ofChats) void client.invalidateQueries({ queryKey: each });
    },
  });
}

function askFor(id: string, change: DepartmentChange): Promise<{ departments: Department[] }> {
  switch (change.do) {
    case 'add':
      return call('POST /sites/:id/departments', { params: { id }, body: change.body });
    case 'change': {
      const params = { id, departmentId: change.id };
      return call('PATCH /sites/:id/departments/:departmentId', { params, body: change.body });
    }
    case 'order':
      return call('PUT /sites/:id/departments', { params: { id }, body: { ids: change.ids } });
    case 'remove':
      return call('DELETE /sites/:id/departments/:departmentId', { params: { id, departmentId: change.id } });
  }
}
