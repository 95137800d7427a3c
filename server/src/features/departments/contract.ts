import type { OfficeHours } from '#features/sites/hours/contract';

/** The most departments that one site may have. */
export const DEPARTMENTS_MAX = 20;
export const DEPARTMENT_NAME_MAX_LENGTH = 40;
/** The most minutes that a chat waits for the members of its department before everybody gets it: a day. */
export const HELP_AFTER_MAX_MINUTES = 1_440;

/**
 * A part of a site's team, such as 'Orders', that chats can be for: its members are given and told of them first. All who may
 * answer chats of the site can still read, claim and answer them.
 */
export interface Department {
  _id: string;
  /** Unique on the site, in whatever case. */
  name: string;
  /** User ids of members of the site who may answer chats; who leaves the site or loses that right is left out. */
  members: string[];
  /** When its members may be available; null: as the site. */
  hours: OfficeHours | null;
  /** Whether visitors may choose it. */
  visible: boolean;
  /** When a chat has waited for so many minutes, everybody is given it and told of it; null: never. */
  helpAfterMinutes: number | null;
  /** Increases with every change, for optimistic locking. */
  rev: number;
}

/** The fields of a new department; left out: no members, the site's hours, visible, never. */
export type DepartmentBody = Pick<Department, 'name'> & Partial<Omit<Department, '_id' | 'name' | 'rev'>>;

/** Any of the fields; `rev`: the version that was changed. If there is a newer one, the answer is 409 `SETTINGS_CHANGED`. */
export type DepartmentPatch = Partial<DepartmentBody> & Pick<Department, 'rev'>;

/** A department by its name. */
export type DepartmentName = Pick<Department, '_id' | 'name'>;

/** The department of a chat. */
export interface ChatDepartment extends DepartmentName {
  /** When the chat came into its queue, ISO 8601 UTC: from then on its `helpAfterMinutes` count. */
  since: string;
}

/** A department as visitors see it. */
export interface WidgetDepartment extends DepartmentName {
  /** Whether one of its members is available to answer, within its hours. */
  online: boolean;
  /** When its hours begin next, ISO 8601 UTC; left out: it is within them, or they never begin. */
  opensAt?: string;
}

/** The calls of departments; each answers all departments of the site, in their order. */
export interface DepartmentsApi {
  'GET /sites/:id/departments': { data: { departments: Department[] } };
  /** The new one is the last. */
  'POST /sites/:id/departments': { body: DepartmentBody; data: { departments: Department[] } };
  /** The order: departments that are not named keep theirs, after the named ones. */
  'PUT /sites/:id/departments': { body: { ids: string[] }; data: { departments: Department[] } };
  'PATCH /sites/:id/departments/:departmentId': { body: DepartmentPatch; data: { departments: Department[] } };
  /** Its chats belong to none afterwards. */
  'DELETE /sites/:id/departments/:departmentId': { data: { departments: Department[] } };
}
