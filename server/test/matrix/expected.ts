import { includesScope } from '../../src/features/apikeys/contract.ts';
import { can } from '../../src/features/team/contract.ts';
import { catalogue } from '../../src/platform/http/endpoint/catalogue.ts';
import { KEYS, type KeyPerson, type Person, type Rule } from './world.ts';

/** What a call is about: a thing of the world, of another one, of none, and what cannot be one. */
export const TARGETS = ['own', 'foreign', 'unknown', 'malformed'] as const;
export type Target = (typeof TARGETS)[number];
/** A rule about a thing of a site. */
export type SiteRule = Extract<Rule, { on: string }>;

/** Whether the person is of the team. */
export const isMember = (person: Person) => ['viewer', 'agent', 'admin', 'owner'].includes(person);
/** Whether it is an API key. */
export const isKey = (person: Person): person is KeyPerson => person in KEYS;
/** Whether the person has no account. */
export const isNoStaff = (person: Person) => ['anonymous', 'visitor', 'otherVisitor'].includes(person);

/** What a person is to be answered about a thing: a status, or 'done' where the call may go through. */
export function expected(call: string, rule: SiteRule, person: Person, target: Target): number | 'done' {
  if (isNoStaff(person)) return 401;
  if (isKey(person)) return expectedOfKey(call, rule, person, target);
  if (target === 'malformed') return 400;
  if (target !== 'own' || !isMember(person)) return 404;
  const role = person === 'owner' ? 'admin' : (person as 'viewer' | 'agent' | 'admin');
  return can({ role, isOwner: person === 'owner' }, rule.ability) ? 'done' : 403;
}

function expectedOfKey(call: string, { ability }: SiteRule, person: KeyPerson, target: Target): number | 'done' {
  const { of, scope } = KEYS[person];
  const needed = catalogue.calls.get(call)?.scope;
  if (!needed || !includesScope(scope, needed)) return 403;
  if (target === 'malformed') return 400;
  if (target !== 'own' || person === 'elsewhereKey') return 404;
  const member = of === 'owner' ? { role: 'admin' as const, isOwner: true } : { role: of, isOwner: false };
  return can({ ...member, scope }, ability) ? 'done' : 403;
}

/** Whoever is refused before the thing is looked at is so about all things: one that is there and one that cannot be are asked about. */
export function isOneOfMany(call: string, person: Person, target: Target): boolean {
  const needed = catalogue.calls.get(call)?.scope;
  const isRefused = isKey(person) ? !needed || !includesScope(KEYS[person].scope, needed) : isNoStaff(person);
  return isRefused && (target === 'foreign' || target === 'unknown');
}
