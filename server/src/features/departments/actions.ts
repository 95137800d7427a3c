import { Types } from 'mongoose';
import type { Caller } from '#features/auth';
import {
  changedMeanwhile,
  changeList,
  type DepartmentDoc,
  departmentsOf,
  inOrder,
  membersOfDepartment,
  positionOf,
  repliersOf,
  type SiteDoc,
} from '#features/sites';
import { changedFields, conflict, notFound, sentence } from '#platform/http';
import { DEPARTMENTS_MAX, type Department, type DepartmentBody, type DepartmentPatch } from './contract.ts';

/** The departments of a site as its team sees them. */
export function departmentsView(site: SiteDoc): Department[] {
  return departmentsOf(site).map((department) => {
    const { _id, name, hours, visible, helpAfterMinutes, rev } = department;
    const members = membersOfDepartment(site, department).map((user) => user.toHexString());
    return { _id: _id.toHexString(), name, members, hours, visible, helpAfterMinutes, rev };
  });
}

/** Adds a department at the end. @throws AppError 409 `DEPARTMENT_LIMIT_REACHED`, `DEPARTMENT_EXISTS` */
export function addDepartment(
  site: SiteDoc,
  caller: Caller,
  { name, members, ...body }: DepartmentBody,
): Promise<SiteDoc> {
  const _id = new Types.ObjectId();
  return changeList(site, caller, 'departments', (list, now) => {
    if (list.length >= DEPARTMENTS_MAX)
      throw conflict(
        'DEPARTMENT_LIMIT_REACHED',
        sentence('A website can have up to {max} departments. Delete one to add another.', { max: DEPARTMENTS_MAX }),
      );
    refuseTaken(list, name);
    const { hours = null, visible = true, helpAfterMinutes = null } = body;
    const added = { _id, name, members: among(now, members), hours, visible, helpAfterMinutes, rev: 1 };
    return { list: [...list, added], fields: ['added'] };
  });
}

/** Changes the fields of the patch. @throws AppError 404, 409 `SETTINGS_CHANGED`, `DEPARTMENT_EXISTS` */
export function changeDepartment(
  site: SiteDoc,
  caller: Caller,
  id: string,
  { rev, members, ...fields }: DepartmentPatch,
): Promise<SiteDoc> {
  return changeList(site, caller, 'departments', (list, now) => {
    const at = positionOf(list, id, () => notFound('department'));
    const before = list[at] as DepartmentDoc;
    if (before.rev !== rev) throw changedMeanwhile();
    if (fields.name !== undefined) refuseTaken(list.toSpliced(at, 1), fields.name);
    const changes = { ...fields, ...(members && { members: among(now, members) }) };
    return { list: list.with(at, { ...before, ...changes, rev: rev + 1 }), fields: changedFields(before, changes) };
  });
}

/** Removes a department: its chats belong to none from then on. @throws AppError 404 */
export function removeDepartment(site: SiteDoc, caller: Caller, id: string): Promise<SiteDoc> {
  return changeList(site, caller, 'departments', (list) => ({
    list: list.toSpliced(
      positionOf(list, id, () => notFound('department')),
      1,
    ),
    fields: ['removed'],
  }));
}

/** Puts the departments with these ids first, in this order; ids that are unknown are ignored. */
export function orderDepartments(site: SiteDoc, caller: Caller, ids: string[]): Promise<SiteDoc> {
  return changeList(site, caller, 'departments', (list) => ({ list: inOrder(list, ids), fields: ['order'] }));
}

/** The ids of those who may answer chats of the site, in the order of its team. */
function among(site: SiteDoc, ids: string[] = []): Types.ObjectId[] {
  return repliersOf(site).filter((user) => ids.some((id) => user.equals(id)));
}

function refuseTaken(list: DepartmentDoc[], wanted: string): void {
  if (list.some(({ name }) => name.toLowerCase() === wanted.toLowerCase()))
    throw conflict('DEPARTMENT_EXISTS', sentence('There is already a department with this name.'));
}
