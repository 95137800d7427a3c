import type { Chat, ChatDepartment, Department } from 'server/contract';

const MINUTE_MS = 60_000;

/** What of a chat decides which department it is for. */
export type Departmental = Pick<Chat, 'department'>;

/**
 * The department whose members alone are told of a chat now, as the server decides it. Null: everybody is, because it is for none,
 * the department has no members, or it has waited for so long that others help.
 * @param at milliseconds
 */
export function departmentInCharge(
  departments: readonly Department[],
  { department: of }: Departmental,
  at: number,
): Department | null {
  const department = departments.find(({ _id }) => _id === of?._id);
  if (!of || !department || department.members.length === 0) return null;
  return at < helpDueAt(department, of) ? department : null;
}

/** When others may help with a chat of this department, in milliseconds; infinite: never. */
export function helpDueAt({ helpAfterMinutes }: Department, { since }: ChatDepartment): number {
  return helpAfterMinutes === null ? Number.POSITIVE_INFINITY : Date.parse(since) + helpAfterMinutes * MINUTE_MS;
}
