import { Types } from 'mongoose';
import {
  type ChatDoc,
  ChatModel,
  type ChatOfSite,
  changeTag,
  type Doer,
  moveToDepartment,
  snoozeChat,
  transferChat,
} from '#features/chats';
import { departmentOf, memberOf, type SiteDoc } from '#features/sites';
import type { Usage } from '#features/usage';
import { tellOfRule } from '#features/webhooks';
import type { Pictures } from '#platform/files';
import { AppError, type Limits } from '#platform/http';
import type { Mail } from '#platform/mail';
import { MINUTE_MS } from '#platform/time';
import type { RuleAction, RuleOutcome } from './contract.ts';
import { mailOfRule } from './mail.ts';
import type { RuleRunDoc } from './model.ts';
import { replyOfRule } from './reply.ts';

/** What actions need. */
export interface Doing {
  limits: Limits;
  usage: Usage;
  mail: Mail;
  pictures: Pictures;
  now: () => number;
}

/** The action of a rule that is done with a chat. */
interface Task extends ChatOfSite {
  run: RuleRunDoc;
  /** The rule, as who does it. */
  by: Doer;
  /** Tells it from all other actions, at each try the same. */
  key: string;
}

type Perform<Name extends RuleAction['do']> = (
  task: Task,
  action: Extract<RuleAction, { do: Name }>,
  deps: Doing,
) => Promise<RuleOutcome>;

const ACTIONS: { [Name in RuleAction['do']]: Perform<Name> } = {
  async department({ by, ...of }, { department }) {
    const isThere = departmentOf(of.site, of.chat.department)?._id.toHexString() === department;
    await moveToDepartment(of, by, department);
    return isThere ? 'unchanged' : 'done';
  },
  tag: async (task, { tag }) => ((await changeTag(task, tag, true)) ? 'done' : 'unchanged'),
  async assign({ by, ...of }, { member }) {
    const { claimedBy, open } = of.chat;
    if (!memberOf(of.site, new Types.ObjectId(member))) return 'missing';
    if (claimedBy !== null || !open) return open && claimedBy?.toHexString() === member ? 'unchanged' : 'refused';
    await transferChat(of, by, member);
    return 'done';
  },
  async snooze({ by, run, ...of }, { minutes }, { now }) {
    const until = new Date(run.at.getTime() + minutes * MINUTE_MS);
    if (of.chat.snoozedUntil?.getTime() === until.getTime()) return 'unchanged';
    await snoozeChat(of, by, until, now());
    return 'done';
  },
  mail: (task, { members }, deps) => mailOfRule(task, members, deps),
  async webhook({ run, site, chat, key }, { webhook: id }, { now }) {
    const webhook = site.webhooks?.find(({ _id }) => _id.toHexString() === id);
    if (!webhook) return 'missing';
    if (!webhook.enabled) return 'refused';
    const { visitor, message, rule, at } = run;
    // Behind what is known of the chat, and before what comes.
    const place = { lane: chat._id.toHexString(), order: chat.lastSeq + BEHIND };
    const what = { ...place, chat: chat._id, visitor, ...(message && { message }), rule, at };
    const isTold = await tellOfRule({ site: site._id, webhook: webhook._id, key }, what, new Date(now()));
    return isTold ? 'done' : 'refused';
  },
  reply: (task, { reply }, deps) => replyOfRule(task, reply, deps),
};

const BEHIND = 0.99;

/**
 * Does one action of a rule. Idempotent: a try after a crash does what is missing.
 * @throws what may succeed later
 */
export async function perform(
  deps: Doing,
  { run, site }: { run: RuleRunDoc; site: SiteDoc },
  action: RuleAction,
  position: number,
): Promise<RuleOutcome> {
  const chat = await ChatModel.findOne({ _id: run.chat, site: site._id }).lean<ChatDoc>();
  if (!chat) return 'refused';
  const by = { user: { _id: new Types.ObjectId(run.rule._id), name: run.rule.name, isRule: true as const } };
  try {
    return await performAs(action.do, { run, site, chat, by, key: `${run._id}:${position}` }, action, deps);
  } catch (error) {
    const outcome = error instanceof AppError ? outcomeOf(error) : null;
    if (outcome === null) throw error;
    return outcome;
  }
}

function performAs<Name extends RuleAction['do']>(name: Name, task: Task, action: RuleAction, deps: Doing) {
  return ACTIONS[name](task, action as Extract<RuleAction, { do: Name }>, deps);
}

/** What came of an action that was refused; null: it may succeed later. */
function outcomeOf({ status, code }: AppError): RuleOutcome | null {
  if (status === 404) return code === 'CHAT_NOT_FOUND' ? 'refused' : 'missing';
  return [409, 413, 422].includes(status) ? 'refused' : null;
}
