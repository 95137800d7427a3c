import { t } from '../lib/i18n.ts';

/** The name that a visitor is shown by; nobody has to give one. */
export function visitorName(name: string | null | undefined, anonymous = t('Anonymous')): string {
  return name || anonymous;
}
