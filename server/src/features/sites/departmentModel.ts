import { Schema, type Types } from 'mongoose';
import type { Department } from '#features/departments/contract';

/** A department as stored. */
export interface DepartmentDoc extends Omit<Department, '_id' | 'members'> {
  _id: Types.ObjectId;
  /** May name people who have left, or who may not answer any more. */
  members: Types.ObjectId[];
}

/** The departments of a site, in their order. They are part of the site, so that asking for them with each chat costs no query. */
export interface DepartmentsDoc {
  list: DepartmentDoc[];
  /** Increases with every change of any of them, for optimistic locking. */
  rev: number;
}

/** The schema of office hours: those of a site, and those of a department. */
export const hoursSchema = new Schema(
  {
    timeZone: String,
    days: [{ _id: false, day: Number, from: String, to: String }],
    holidays: { type: [{ _id: false, date: String, name: String, yearly: Boolean }], default: undefined },
  },
  { _id: false },
);

const departmentSchema = new Schema<DepartmentDoc>({
  name: { type: String, required: true },
  members: { type: [Schema.Types.ObjectId], default: [] },
  hours: { type: hoursSchema, default: null },
  visible: { type: Boolean, required: true },
  helpAfterMinutes: { type: Number, default: null },
  rev: { type: Number, required: true },
});

/** The schema of a site's departments. */
export const departmentsSchema = new Schema<DepartmentsDoc>(
  { list: { type: [departmentSchema], default: [] }, rev: { type: Number, required: true } },
  { _id: false, id: false },
);
