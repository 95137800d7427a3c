import type { Db, Document } from 'mongodb';

const QUARTER_MS = 900_000;
const PREVIEW_LENGTH = 200;
const ALL_SITES = '0'.repeat(24);

/** A chat with its messages in the order of `seq`. */
interface Thread {
  chat: Document;
  messages: Document[];
}

/**
 * Compares everything that is made from messages with the messages themselves: rows and unread counts, the search index,
 * figures and notices. Everything is computed again from what was sent, without the server's code.
 * @param hasMail the server sends mails, so there must be notices
 * @returns what does not agree
 */
export async function derivedProblems(db: Db, { hasMail = false } = {}): Promise<string[]> {
  const all = (name: string): Promise<Document[]> => db.collection(name).find().toArray();
  const messages = await all('messages');
  const [chats, words, figures, notices, removals] = await Promise.all([
    all('chats'),
    all('chatWords'),
    all('figures'),
    all('notices'),
    all('removals'),
  ]);
  messages.sort((a, b) => a.seq - b.seq);
  const byChat = new Map(chats.map(({ _id }) => [String(_id), [] as Document[]]));
  for (const message of messages) byChat.get(String(message.chat))?.push(message);
  const threads = chats.map((chat): Thread => ({ chat, messages: byChat.get(String(chat._id)) ?? [] }));
  const indexed = new Map(words.map(({ _id, words: its }) => [String(_id), new Set<string>(its)]));
  const noticed = new Map(notices.map((notice) => [String(notice._id), notice]));
  const uncounted = [...chats, ...removals].filter((doc) => doc.uncounted);
  const unnotified = chats.filter((chat) => chat.unnotified);
  return [
    ...threads.flatMap(rowProblems),
    ...threads.flatMap((thread) => searchProblems(thread, indexed.get(String(thread.chat._id)))),
    ...uncounted.map(({ _id }) => `${_id} is not counted`),
    ...unnotified.map(({ _id }) => `nobody is told that ${_id} was handed over`),
    ...figureProblems(threads, figures),
    ...(hasMail ? threads.flatMap((thread) => noticeProblems(thread, noticed)) : []),
  ];
}

function rowProblems({ chat, messages }: Thread): string[] {
  const newest = messages.at(-1);
  if (!newest) return [];
  const lastAnswer = messages.findLast(({ sender }) => sender === 'agent')?.seq ?? 0;
  const unanswered = messages.filter(({ sender, seq }) => sender === 'visitor' && seq > lastAnswer);
  const { staff } = chat.receipts;
  const wanted = {
    lastSeq: newest.seq,
    lastMessage: String(messages.findLast(({ sender }) => sender !== 'system')?.content ?? '').slice(0, PREVIEW_LENGTH),
    unread: messages.filter(({ sender, seq }) => sender === 'visitor' && seq > staff.read).length,
    waitingSince: newest.sender === 'visitor' ? String(unanswered[0]?.createdAt) : undefined,
    isClosed: newest.event === 'closed',
  };
  const row = {
    lastSeq: chat.lastSeq,
    lastMessage: chat.lastMessage,
    unread: chat.unread,
    waitingSince: chat.waitingSince && String(chat.waitingSince),
    isClosed: chat.status === 'closed',
  };
  return differences(`row of ${chat._id}`, row, wanted);
}

/** The tests write plain English words. */
const wordsOf = (text: string) => text.toLowerCase().match(/[a-z0-9]+/g) ?? [];

function searchProblems({ chat, messages }: Thread, indexed = new Set<string>()): string[] {
  const said = messages.filter(({ sender }) => sender !== 'system').flatMap(({ content }) => wordsOf(content));
  const lost = [...new Set(said)].filter((word) => !indexed.has(word));
  return lost.length > 0 && !chat.bot ? [`${chat._id} is not found by ${lost.join(', ')}`] : [];
}

function figureProblems(threads: Thread[], figures: Document[]): string[] {
  const wanted = new Map<string, number>();
  for (const thread of threads.filter(({ chat, messages }) => !chat.bot && messages.length > 0)) {
    for (const site of [String(thread.chat.site), ALL_SITES])
      for (const figure of figuresOf(thread)) add(wanted, `${site} ${figure}`, 1);
    for (const figure of agentFiguresOf(thread)) add(wanted, `${thread.chat.site} ${figure}`, 1);
  }
  const stored = new Map<string, number>();
  for (const { site, day, chats = 0, named = 0, begun = {}, answered = {}, by = {} } of figures) {
    add(stored, `${site} chats`, chats);
    add(stored, `${site} named`, named);
    for (const [slot, count] of Object.entries<number>(begun)) add(stored, `${site} begun ${day} ${slot}`, count);
    for (const [slot, buckets] of Object.entries<Record<string, number>>(answered))
      for (const count of Object.values(buckets)) add(stored, `${site} answered ${day} ${slot}`, count);
    for (const [agent, counts] of Object.entries<Record<string, Record<string, Record<string, number>>>>(by))
      for (const [what, slots] of Object.entries(counts))
        for (const [slot, buckets] of Object.entries(slots))
          for (const [bucket, count] of Object.entries(buckets))
            add(stored, `${site} ${agent} ${what === 'ratings' ? bucket : what} ${day} ${slot}`, count);
  }
  const sorted = (counts: Map<string, number>) =>
    Object.fromEntries([...counts].filter(([, count]) => count !== 0).sort(([a], [b]) => (a < b ? -1 : 1)));
  return differences('figures', sorted(stored), sorted(wanted));
}

/** The figures in which a chat counts. A chat that an agent began was not answered. */
function figuresOf({ chat, messages }: Thread): string[] {
  const response = messages.find(({ sender }) => sender === 'agent');
  const isAnswered = response && response.seq > 1 && response.createdAt > chat.createdAt;
  return [
    'chats',
    ...(chat.visitorInfo.name === null ? [] : ['named']),
    `begun ${slotOf(chat.createdAt)}`,
    ...(isAnswered ? [`answered ${slotOf(response.createdAt)}`] : []),
  ];
}

/**
 * The figures of agents in which a chat counts, turn by turn. While it is open, the rating of its turn is nobody's. Where nobody
 * wrote between reopening and close, a rating is for the turn before.
 */
function agentFiguresOf({ chat, messages }: Thread): string[] {
  const response = messages.find(({ sender }) => sender === 'agent');
  const isAnswered = response && response.seq > 1 && response.createdAt > chat.createdAt;
  const isClosed = chat.status === 'closed';
  const { rating, ratedAt: rated, reopenedAt = chat.createdAt, reopenedSeq = 0 } = chat;
  const isRated = rating && (rating.turn === undefined ? rated >= reopenedAt : rating.turn === reopenedSeq);
  const current = {
    agent: isClosed ? chat.claimedBy : null,
    closedAt: isClosed ? chat.closedAt : null,
    score: isRated ? chat.rating.score : null,
    ratedAt: chat.ratedAt,
  };
  const earlier: Document[] = chat.turns ?? [];
  const isEmpty =
    chat.reopenedSeq !== undefined && messages.at(-2)?.seq === chat.reopenedSeq && messages.at(-1)?.event === 'closed';
  const { score, ratedAt } = isRated ? current : (earlier.at(-1) ?? current);
  const turns = isEmpty ? earlier.with(-1, { ...earlier.at(-1), score, ratedAt }) : [...earlier, current];
  return [
    ...(isAnswered ? [`${response.author} answered ${slotOf(response.createdAt)}`] : []),
    ...turns.flatMap(({ agent, closedAt, score, ratedAt }) => [
      ...(closedAt ? [`${agent ?? 'none'} resolved ${slotOf(closedAt)}`] : []),
      ...(score ? [`${agent ?? 'none'} s${score} ${slotOf(ratedAt)}`] : []),
    ]),
  ];
}

function slotOf(at: Date): string {
  const day = at.toISOString().slice(0, 10);
  return `${day} h${Math.floor((at.getTime() - Date.parse(day)) / QUARTER_MS)}`;
}

function noticeProblems({ chat, messages }: Thread, noticed: Map<string, Document>): string[] {
  if (chat.bot || chat.blocked) return [];
  const isUnattended = chat.open && (chat.claimedBy === null || chat.assignedAt);
  const isWaiting = isUnattended && messages.at(-1)?.sender === 'visitor';
  const answer = messages.findLast(({ sender }) => sender === 'agent');
  const mailed = noticed.get(`${chat._id}:answer`)?.wantedSeq ?? 0;
  return [
    ...(isWaiting && !noticed.has(`${chat._id}:team`) ? [`nobody is told of ${chat._id}`] : []),
    ...(answer && chat.visitorInfo.email && mailed < answer.seq ? [`the visitor of ${chat._id} is not mailed`] : []),
  ];
}

function add(counts: Map<string, number>, name: string, count: number): void {
  counts.set(name, (counts.get(name) ?? 0) + count);
}

function differences(what: string, is: Record<string, unknown>, wanted: Record<string, unknown>): string[] {
  const names = [...new Set([...Object.keys(is), ...Object.keys(wanted)])];
  const wrong = names.filter((name) => is[name] !== wanted[name]);
  return wrong.map((name) => `${what}: ${name} is ${is[name]}, not ${wanted[name]}`);
}
