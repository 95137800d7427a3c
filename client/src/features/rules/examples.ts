import { msg } from '../../lib/i18n.ts';
import type { RuleValues } from './words.ts';

/** What the form of a new rule begins with. */
export const NEW_RULE: RuleValues = {
  name: '',
  enabled: true,
  event: 'opened',
  minutes: null,
  conditions: {},
  actions: [],
};

/** Rules that many teams want. What they are about is chosen in the form. */
export const EXAMPLES: RuleValues[] = [
  {
    ...NEW_RULE,
    name: msg('Tag chats from the page with prices'),
    conditions: { page: '/pricing' },
    actions: [{ do: 'tag', tag: 'sales' }],
  },
  {
    ...NEW_RULE,
    name: msg('Send a mail when nobody answers'),
    event: 'unanswered',
    minutes: 10,
    conditions: { hours: 'open' },
    actions: [{ do: 'mail', members: [] }],
  },
  {
    ...NEW_RULE,
    name: msg('Answer outside the office hours'),
    conditions: { hours: 'closed' },
    actions: [{ do: 'reply', reply: '' }],
  },
  {
    ...NEW_RULE,
    name: msg('Look after bad ratings'),
    event: 'rated',
    conditions: { score: 2 },
    actions: [{ do: 'tag', tag: 'follow-up' }],
  },
];
