// Departments: the parts of a site's team that chats can be for.
export { useDepartments, useDepartmentsOf, useDepartmentsOfChats, useReadDepartments } from './api.ts';
export { DepartmentButtons } from './DepartmentButtons.tsx';
export { departmentInCharge, helpDueAt } from './inCharge.ts';

/** The tab of a site's settings, a script of its own. */
export const loadDepartments = async () => (await import('./Departments.tsx')).Departments;
