import type { SiteRole } from 'server/contract';

/** What each role may do, in the words of the screens that let one choose. */
export const ROLES: readonly { value: SiteRole; label: string; hint: string }[] = [
  { value: 'agent', label: 'Agent', hint: 'can chat with visitors' },
  { value: 'viewer', label: 'Viewer', hint: 'read-only access' },
  { value: 'admin', label: 'Admin', hint: 'full access' },
];

/** What a role may do, as a phrase. */
export function hintOf(role: SiteRole): string {
  return ROLES.find(({ value }) => value === role)?.hint ?? '';
}
