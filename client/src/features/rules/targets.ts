import { can, type RuleAction, type Site } from 'server/contract';
import { useDepartments } from '#features/departments';
import { useCannedReplies } from '#features/replies';
import { namesOf, useWebhooks } from '#features/webhooks';
import { t } from '../../lib/i18n.ts';

/** Something that an action is about. */
export interface Target {
  id: string;
  name: string;
}

/** What the actions of a site's rules can be about, by kind. `isKnown`: all of it is loaded. */
export interface Targets {
  departments: Target[];
  members: Target[];
  webhooks: Target[];
  replies: Target[];
  isKnown: boolean;
}

/** Loads what the rules of a site can be about. */
export function useTargets(site: Site): Targets {
  const departments = useDepartments(site._id);
  const webhooks = useWebhooks(site._id);
  const replies = useCannedReplies(site._id, true);
  return {
    departments: (departments.data ?? []).map(({ _id, name }) => ({ id: _id, name })),
    members: site.team
      .filter(({ role }) => can({ role, isOwner: false }, 'chats.reply'))
      .map(({ userId }) => ({ id: userId._id, name: userId.name })),
    webhooks: (webhooks.data ?? []).map((webhook) => ({ id: webhook._id, name: namesOf(webhook).name })),
    replies: (replies.data ?? []).flatMap(({ _id, shortcut, personal }) =>
      personal ? [] : [{ id: _id, name: `/${shortcut}` }],
    ),
    isKnown: [departments, webhooks, replies].every(({ isSuccess }) => isSuccess),
  };
}

/** The name of a target; null: there is none such any more. */
function nameIn(targets: readonly Target[], id: string): string | null {
  return targets.find((target) => target.id === id)?.name ?? null;
}

/** The names of those that there still are; what is gone is said so. */
export function namesIn(targets: readonly Target[], ids: readonly string[]): string[] {
  return ids.map((id) => nameIn(targets, id) ?? t('(deleted)'));
}

/** Whether something that an action is about is gone, so that the action does nothing. */
export function isBroken(action: RuleAction, targets: Targets): boolean {
  if (!targets.isKnown) return false;
  switch (action.do) {
    case 'department':
      return nameIn(targets.departments, action.department) === null;
    case 'assign':
      return nameIn(targets.members, action.member) === null;
    case 'mail':
      return action.members.every((id) => nameIn(targets.members, id) === null);
    case 'webhook':
      return nameIn(targets.webhooks, action.webhook) === null;
    case 'reply':
      return nameIn(targets.replies, action.reply) === null;
    default:
      return false;
  }
}
