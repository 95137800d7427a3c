import type { Page, PageQuery } from '#platform/http/contract';

/** The most rules that one site may have, and the most actions of a rule. */
export const RULES_MAX = 20;
export const RULE_ACTIONS_MAX = 5;
export const RULE_NAME_MAX_LENGTH = 60;
/** The most minutes without an answer that a rule waits for, and the most for which it snoozes: a week. */
export const RULE_MINUTES_MAX = 10_080;
/** The most languages, words and departments that a rule may name. */
export const RULE_CHOICES_MAX = 20;
export const RULE_TEXT_MAX_LENGTH = 200;
/** The newest chats that a dry run looks at. */
export const RULE_TRIAL_CHATS = 100;
/** How long, in days, the log keeps what rules did. */
export const RULE_LOG_DAYS = 30;

/**
 * What a rule waits for: a chat begins; its visitor writes; the visitor has had no answer for some minutes; the chat is closed; its
 * visitor rates it. No action causes any of these, so a rule never follows from what a rule did.
 */
export const RULE_EVENTS = ['opened', 'message', 'unanswered', 'closed', 'rated'] as const;
export type RuleEvent = (typeof RULE_EVENTS)[number];

/** What must be so as well; of those that are given all must hold. */
export interface RuleConditions {
  /** The address of the visitor's page contains this, in whatever case. */
  page?: string;
  /** The visitor's language is one of these, as primary tags such as `de`. */
  languages?: string[];
  /** The chat is for one of these departments; `none`: for none. */
  departments?: string[];
  /** An attribute of the visitor has this value, in whatever case. */
  attribute?: { name: string; value: string };
  /** Whether it is within the office hours of the site. */
  hours?: 'open' | 'closed';
  /** The visitor's message contains one of these, in whatever case; of `opened`, `message` and `unanswered`. */
  words?: string[];
  /** The rating is at most this; of `rated`. */
  score?: number;
}

/** What a rule does. What does not exist any more is not done, and the log says so. */
export type RuleAction =
  | { do: 'department'; department: string }
  | { do: 'tag'; tag: string }
  /** Gives the chat to a member, unless somebody has it. */
  | { do: 'assign'; member: string }
  | { do: 'snooze'; minutes: number }
  /** Sends these members a mail about the chat. */
  | { do: 'mail'; members: string[] }
  /** Tells a webhook of the site. */
  | { do: 'webhook'; webhook: string }
  /** Sends a canned reply of the team, and its files, in the site's name. */
  | { do: 'reply'; reply: string };

/** Something that the server does by itself with chats of a site. Rules apply in their order. */
export interface Rule {
  _id: string;
  name: string;
  enabled: boolean;
  event: RuleEvent;
  /** Of `unanswered`: after how many minutes; null: of another event. */
  minutes: number | null;
  conditions: RuleConditions;
  actions: RuleAction[];
  /** Increases with every change, for optimistic locking. */
  rev: number;
}

/** The fields of a new rule; left out: switched on, no conditions. */
export type RuleBody = Pick<Rule, 'name' | 'event' | 'actions'> &
  Partial<Pick<Rule, 'enabled' | 'minutes' | 'conditions'>>;

/** Any of the fields; `rev`: the version that was changed. If there is a newer one, the answer is 409 `SETTINGS_CHANGED`. */
export type RulePatch = Partial<RuleBody> & Pick<Rule, 'rev'>;

/**
 * What became of an action. `unchanged`: it was so already. `missing`: the department, member, webhook or reply is gone. `refused`:
 * it was not possible, such as snoozing a closed chat. `failed`: given up after several tries.
 */
export type RuleOutcome = 'done' | 'unchanged' | 'missing' | 'refused' | 'failed';

/** What a rule did with a chat, or (in a dry run) would have done. */
export interface RuleRun {
  _id: string;
  rule: Pick<Rule, '_id' | 'name'>;
  chatId: string;
  /** null: the visitor has told no name. */
  visitorName: string | null;
  /** ISO 8601 UTC */
  at: string;
  actions: { action: RuleAction; outcome: RuleOutcome }[];
}

/** A chat of a dry run to which the rule would have applied. */
export type RuleMatch = Pick<RuleRun, 'chatId' | 'visitorName' | 'at'>;

/** The calls of rules; where they answer rules, all of the site in their order. */
export interface RulesApi {
  'GET /sites/:id/rules': { data: { rules: Rule[] } };
  /** The new one is the last. */
  'POST /sites/:id/rules': { body: RuleBody; data: { rules: Rule[] } };
  /** The order: rules that are not named keep theirs, after the named ones. */
  'PUT /sites/:id/rules': { body: { ids: string[] }; data: { rules: Rule[] } };
  'PATCH /sites/:id/rules/:ruleId': { body: RulePatch; data: { rules: Rule[] } };
  'DELETE /sites/:id/rules/:ruleId': { data: { rules: Rule[] } };
  /** What rules did, newest first; of one rule, or of all. */
  'GET /sites/:id/rules/runs': { query: PageQuery & { rule?: string }; data: { runs: RuleRun[] } & Page };
  /** To which of the newest chats (`chats` of them) a rule would have applied, newest first; nothing is changed. */
  'POST /sites/:id/rules/trial': { body: RuleBody; data: { chats: number; matches: RuleMatch[] } };
}
