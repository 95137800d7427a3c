import type { QueryFilter, Types } from 'mongoose';
import { BY_TAG, type ChatDoc, ChatModel, HAS_MESSAGES, listFilter, listIndex } from '#features/chats';
import type { SiteDoc } from '#features/sites';
import { recentlyUsed } from '#platform/cache';
import { COUNT_MAX, type CountsQuery, type InboxCounts, TAGS_OFFERED_MAX } from './contract.ts';

/**
 * How long a site's counts are shared by all who ask. It must be shorter than the throttle of the dashboards: after a
 * change they ask again a second later, and would otherwise get the count from before it.
 */
const SHARED_MS = 400;
const SHARED_MAX = 2_000;

/** Coalesces the same question of many callers within `SHARED_MS`. */
function sharing<Value>(): (key: string, ask: () => Promise<Value>) => Promise<Value> {
  const shared = recentlyUsed<Promise<Value>>(SHARED_MAX, SHARED_MS);
  return (key, ask) => {
    const found = shared.get(key);
    if (found) return found;
    const value = ask();
    shared.set(key, value);
    value.catch(() => shared.delete(key));
    return value;
  };
}

const countsPerSite = sharing<InboxCounts>();
const tagsPerSite = sharing<string[]>();

/** Counts chats of these sites, without those of bots. @param caller the user whom `me` means */
export async function countChats(
  sites: SiteDoc[],
  conditions: Omit<CountsQuery, 'siteId'>,
  caller: Types.ObjectId,
): Promise<InboxCounts> {
  const all = await Promise.all(
    sites.map((site) => countsPerSite(site._id.toHexString(), () => countsOf(site, caller))),
  );
  const unread = sum(all, 'unread');
  const { claimedBy, tag, department } = conditions;
  if (claimedBy === undefined && tag === undefined && department === undefined) return { ...openSum(all), unread };
  const filtered = await Promise.all(sites.map((site) => openOf(site, conditions, caller)));
  return { ...openSum(filtered), unread };
}

type OpenCounts = Omit<InboxCounts, 'unread'>;

function openSum(all: OpenCounts[]): OpenCounts {
  return {
    waiting: sum(all, 'waiting'),
    active: sum(all, 'active'),
    snoozed: sum(all, 'snoozed'),
    assistant: sum(all, 'assistant'),
  };
}

function sum<Name extends string>(counts: Record<Name, number>[], name: Name): number {
  return Math.min(
    COUNT_MAX,
    counts.reduce((all, one) => all + one[name], 0),
  );
}

async function countsOf(site: SiteDoc, caller: Types.ObjectId): Promise<InboxCounts> {
  const unread = { unread: 'yes' } as const;
  const [open, ofUnread] = await Promise.all([
    openOf(site, {}, caller),
    count(site._id, listFilter(unread, caller, [site]), listIndex(unread)),
  ]);
  return { ...open, unread: ofUnread };
}

type Conditions = Omit<CountsQuery, 'siteId'>;

async function openOf(site: SiteDoc, conditions: Conditions, caller: Types.ObjectId): Promise<OpenCounts> {
  const of = (status: keyof OpenCounts) =>
    count(site._id, listFilter({ ...conditions, status }, caller, [site]), listIndex({ ...conditions, status }));
  const [waiting, active, snoozed, assistant] = await Promise.all([
    of('waiting'),
    of('active'),
    of('snoozed'),
    site.assistant?.step === 'answer' ? of('assistant') : 0,
  ]);
  return { waiting, active, snoozed, assistant };
}

/** Reads at most `COUNT_MAX` rows, however many there are. */
async function count(site: Types.ObjectId, filter: QueryFilter<ChatDoc>, index: string | undefined): Promise<number> {
  const found = ChatModel.find({ site, bot: false, ...HAS_MESSAGES, ...filter }, { _id: 1 })
    .limit(COUNT_MAX)
    .lean();
  return (await (index === undefined ? found : found.hint(index))).length;
}

/** The first tags in use on these sites. */
export async function tagsOf(sites: SiteDoc[]): Promise<string[]> {
  const all = await Promise.all(sites.map(({ _id }) => tagsPerSite(_id.toHexString(), () => tagsOfSite(_id))));
  return [...new Set(all.flat())].sort(byCodePoint).slice(0, TAGS_OFFERED_MAX);
}

/** Each tag is looked up after the one before it in the index, however many chats have it. */
async function tagsOfSite(site: Types.ObjectId): Promise<string[]> {
  const tags: string[] = [];
  while (tags.length < TAGS_OFFERED_MAX) {
    const next = await tagAfter(site, tags.at(-1) ?? '');
    if (next === undefined) break;
    tags.push(next);
  }
  return tags;
}

/** The first entry of the index behind this tag is of a chat whose first tag behind it is the next one in use. */
async function tagAfter(site: Types.ObjectId, tag: string): Promise<string | undefined> {
  const filter = { site, bot: false, tags: { $gt: tag } };
  const chat = await ChatModel.findOne(filter, { tags: 1 }).hint(BY_TAG).lean<Pick<ChatDoc, 'tags'>>();
  return chat?.tags.filter((one) => byCodePoint(one, tag) > 0).sort(byCodePoint)[0];
}

/** The order in which databases sort strings. */
const byCodePoint = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
