import { Types } from 'mongoose';
import type { Caller } from '#features/auth';
import {
  changedMeanwhile,
  changeList,
  inOrder,
  positionOf,
  type RuleDoc,
  rulesOf,
  type SiteDoc,
} from '#features/sites';
import { events } from '#platform/events';
import { changedFields, conflict, type Fault, invalid, notFound, sentence } from '#platform/http';
import { RULES_MAX, type Rule, type RuleBody, type RulePatch } from './contract.ts';

declare module '#platform/events' {
  interface Events {
    /** A rule was changed or removed: what waits for its time is looked at again. */
    ruleChanged: { siteId: string; ruleId: string };
  }
}

/** The rules of a site as its team sees them. */
export function rulesView(site: SiteDoc): Rule[] {
  return rulesOf(site).map(({ since: _, ...rule }) => ({ ...rule, _id: rule._id.toHexString() }));
}

/** What a rule is that was just made from these fields. @throws AppError 422 for fields that do not go together */
export function newRule({ enabled = true, minutes = null, conditions = {}, ...body }: RuleBody): RuleDoc {
  return coherent({ _id: new Types.ObjectId(), ...body, enabled, minutes, conditions, rev: 1, since: new Date() });
}

/** Adds a rule at the end. @throws AppError 422, 409 `RULE_LIMIT_REACHED` */
export function addRule(site: SiteDoc, caller: Caller, body: RuleBody): Promise<SiteDoc> {
  const rule = newRule(body);
  return changeList(site, caller, 'rules', (list) => {
    if (list.length >= RULES_MAX)
      throw conflict(
        'RULE_LIMIT_REACHED',
        sentence('A website can have up to {max} rules. Delete one to add another.', { max: RULES_MAX }),
      );
    return { list: [...list, rule], fields: ['added'] };
  });
}

/** Changes the fields of the patch. @throws AppError 404, 422, 409 `SETTINGS_CHANGED` */
export async function changeRule(
  site: SiteDoc,
  caller: Caller,
  id: string,
  { rev, ...fields }: RulePatch,
): Promise<SiteDoc> {
  const changed = await changeList(site, caller, 'rules', (list) => {
    const at = positionOf(list, id, () => notFound('rule'));
    const before = list[at] as RuleDoc;
    if (before.rev !== rev) throw changedMeanwhile();
    const after = coherent({ ...before, ...fields, rev: rev + 1, since: new Date() });
    return { list: list.with(at, after), fields: changedFields(before, { ...fields }) };
  });
  await events.emit('ruleChanged', { siteId: changed._id.toHexString(), ruleId: id });
  return changed;
}

/** Removes a rule; what it did stays in the log. @throws AppError 404 */
export async function removeRule(site: SiteDoc, caller: Caller, id: string): Promise<SiteDoc> {
  const changed = await changeList(site, caller, 'rules', (list) => ({
    list: list.toSpliced(
      positionOf(list, id, () => notFound('rule')),
      1,
    ),
    fields: ['removed'],
  }));
  await events.emit('ruleChanged', { siteId: changed._id.toHexString(), ruleId: id });
  return changed;
}

/** Puts the rules with these ids first, in this order; ids that are unknown are ignored. */
export function orderRules(site: SiteDoc, caller: Caller, ids: string[]): Promise<SiteDoc> {
  return changeList(site, caller, 'rules', (list) => ({ list: inOrder(list, ids), fields: ['order'] }));
}

/** A rule that belongs together: minutes and conditions are of its event. @throws AppError 422 */
function coherent(rule: RuleDoc): RuleDoc {
  const { event, minutes, conditions } = rule;
  const faults: Fault[] = [];
  if (event === 'unanswered' && minutes === null)
    faults.push({ path: 'minutes', msg: sentence('Say after how many minutes without an answer') });
  if (conditions.words && (event === 'closed' || event === 'rated'))
    faults.push({ path: 'conditions', msg: sentence('words are of rules that wait for messages') });
  if (conditions.score && event !== 'rated')
    faults.push({ path: 'conditions', msg: sentence('score is of rules that wait for ratings') });
  if (faults.length > 0) throw invalid(faults);
  return event === 'unanswered' ? rule : { ...rule, minutes: null };
}
