import type { Router } from 'express';
import type { SignedInGuard } from '#features/auth';
import { requirement, type SiteDoc, siteFor } from '#features/sites';
import { endpoints } from '#platform/http';
import { addDepartment, changeDepartment, departmentsView, orderDepartments, removeDepartment } from './actions.ts';
import type { DepartmentsApi } from './contract.ts';
import { departmentPatchSchema, departmentSchema, orderSchema } from './schemas.ts';

/** The calls of departments. */
export function departmentRoutes({ signedIn: { orKey } }: { signedIn: SignedInGuard }): Router {
  const { router, on } = endpoints<DepartmentsApi>();
  const onSite = requirement(siteFor);
  const edits = { authenticate: orKey.manage, authorize: onSite('sites.edit') };
  const allOf = (site: SiteDoc) => ({ data: { departments: departmentsView(site) } });

  on(
    'GET /sites/:id/departments',
    { authenticate: orKey.read, authorize: onSite('sites.read') },
    async ({ access: { site } }) => allOf(site),
  );

  on('POST /sites/:id/departments', { ...edits, body: departmentSchema }, async ({ access, caller, body }) => ({
    status: 201,
    ...allOf(await addDepartment(access.site, caller, body)),
  }));

  on('PUT /sites/:id/departments', { ...edits, body: orderSchema }, async ({ access, caller, body }) =>
    allOf(await orderDepartments(access.site, caller, body.ids)),
  );

  on(
    'PATCH /sites/:id/departments/:departmentId',
    { ...edits, body: departmentPatchSchema },
    async ({ access, caller, params, body }) =>
      allOf(await changeDepartment(access.site, caller, params.departmentId, body)),
  );

  on('DELETE /sites/:id/departments/:departmentId', edits, async ({ access, caller, params }) =>
    allOf(await removeDepartment(access.site, caller, params.departmentId)),
  );

  return router;
}
