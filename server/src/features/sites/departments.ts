import type { Types } from 'mongoose';
import type { WidgetDepartment } from '#features/departments/contract';
import type { Presence } from '#features/presence';
import { MINUTE_MS } from '#platform/time';
import type { DepartmentDoc } from './departmentModel.ts';
import { repliersOf } from './guards.ts';
import { siteIsOnline } from './hours/officeHours.ts';
import { isOpen, nextOpening } from './hours/openings.ts';
import type { SiteDoc } from './model.ts';

/** The part of a site that says which departments it has. */
export type SiteWithDepartments = Pick<SiteDoc, 'departments'>;

/** The departments of a site, in their order. */
export const departmentsOf = ({ departments }: SiteWithDepartments): DepartmentDoc[] => departments?.list ?? [];

/** The department with this id; null: the site has none such, so that a chat of a deleted department belongs to none. */
export function departmentOf(site: SiteWithDepartments, id: Types.ObjectId | string | undefined): DepartmentDoc | null {
  const wanted = id?.toString().toLowerCase();
  return departmentsOf(site).find(({ _id }) => _id.toHexString() === wanted) ?? null;
}

/** The members of a department who may answer chats of the site. */
export function membersOfDepartment(site: SiteDoc, { members }: DepartmentDoc): Types.ObjectId[] {
  return repliersOf(site).filter((user) => members.some((id) => id.equals(user)));
}

/** The office hours of a department. */
export const hoursOfDepartment = (site: SiteDoc, { hours }: DepartmentDoc) => hours ?? site.settings.hours;

type Online = Pick<Presence, 'agentIsOnline'>;

/** Whether a member of the department is available to visitors, within its hours. @param at milliseconds */
export function departmentIsOnline(site: SiteDoc, department: DepartmentDoc, presence: Online, at: number): boolean {
  if (site.settings.offlineMode || !isOpen(hoursOfDepartment(site, department), at)) return false;
  return membersOfDepartment(site, department).some((user) => presence.agentIsOnline(user.toHexString()));
}

/** The departments that visitors may choose from, as they find them. @param at milliseconds */
export function departmentsForVisitors(site: SiteDoc, presence: Online, at: number): WidgetDepartment[] {
  return departmentsOf(site)
    .filter(({ visible }) => visible)
    .map((department) => {
      const opensAt = site.settings.offlineMode ? null : nextOpening(hoursOfDepartment(site, department), at);
      return {
        _id: department._id.toHexString(),
        name: department.name,
        online: departmentIsOnline(site, department, presence, at),
        ...(opensAt !== null && opensAt > at && { opensAt: new Date(opensAt).toISOString() }),
      };
    });
}

/** What of a chat decides which department it is for, and since when it waits there. */
export interface ChatOfDepartment {
  department?: Types.ObjectId;
  queuedAt?: Date;
  createdAt: Date;
}

/** When everybody may be given a chat of this department, in milliseconds; infinite: never. */
export function helpDueAt({ helpAfterMinutes }: DepartmentDoc, { queuedAt, createdAt }: ChatOfDepartment): number {
  if (helpAfterMinutes === null) return Number.POSITIVE_INFINITY;
  return (queuedAt ?? createdAt).getTime() + helpAfterMinutes * MINUTE_MS;
}

/**
 * The department whose members alone are given a chat and told of it now. Null: everybody is, because it is for none, the department
 * has no members who may answer, or it has waited for so long that others help.
 * @param at milliseconds
 */
export function departmentInCharge(site: SiteDoc, chat: ChatOfDepartment, at: number): DepartmentDoc | null {
  const department = departmentOf(site, chat.department);
  if (!department || at >= helpDueAt(department, chat)) return null;
  return membersOfDepartment(site, department).length > 0 ? department : null;
}

/** The members who are given a chat and told of it now. @param at milliseconds */
export function repliersFor(site: SiteDoc, chat: ChatOfDepartment, at: number): Types.ObjectId[] {
  const department = departmentInCharge(site, chat, at);
  return department ? membersOfDepartment(site, department) : repliersOf(site);
}

/** Whether one of those who are given a chat is available to its visitor. @param at milliseconds */
export function isOnlineFor(site: SiteDoc, chat: ChatOfDepartment, presence: Online, at: number): boolean {
  const department = departmentInCharge(site, chat, at);
  return department ? departmentIsOnline(site, department, presence, at) : siteIsOnline(site, presence, at);
}
