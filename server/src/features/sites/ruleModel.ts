import { Schema, type Types } from 'mongoose';
import type { Rule, RuleEvent } from '#features/rules/contract';

/** A rule as stored. */
export interface RuleDoc extends Omit<Rule, '_id'> {
  _id: Types.ObjectId;
  /** What happened before is not its business: when it was made, or switched on or changed last. */
  since: Date;
}

/** The rules of a site, in their order. They are part of the site, so that a message of a site without rules costs nothing for them. */
export interface RulesDoc {
  list: RuleDoc[];
  /** Increases with every change of any of them, for optimistic locking. */
  rev: number;
}

/** The part of a site that says which rules it has. */
export interface SiteWithRules {
  rules?: RulesDoc;
}

const ruleSchema = new Schema<RuleDoc>(
  {
    name: { type: String, required: true },
    enabled: { type: Boolean, required: true },
    event: { type: String, required: true },
    minutes: { type: Number, default: null },
    conditions: { type: Schema.Types.Mixed, default: {} },
    actions: { type: [Schema.Types.Mixed], default: [] } as never,
    rev: { type: Number, required: true },
    since: { type: Date, required: true },
  },
  { minimize: false },
);

/** The schema of a site's rules. */
export const rulesSchema = new Schema<RulesDoc>(
  { list: { type: [ruleSchema], default: [] }, rev: { type: Number, required: true } },
  { _id: false, id: false },
);

/** The rules of a site, in their order. */
export const rulesOf = ({ rules }: SiteWithRules): RuleDoc[] => rules?.list ?? [];

/** The rules of a site that are switched on and wait for one of these events. */
export function rulesFor(site: SiteWithRules, ...events: RuleEvent[]): RuleDoc[] {
  return rulesOf(site).filter(({ enabled, event }) => enabled && events.includes(event));
}
