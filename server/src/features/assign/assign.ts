import type { ChatDoc } from '#features/chats';
import { type SiteDoc, sitesOfUser } from '#features/sites';
import { events } from '#platform/events';
import { startJobs } from '#platform/work';
import { createAbsentAgents } from './absentAgents.ts';
import {
  type AssignDeps,
  assignWaiting,
  createRoundRobin,
  endAssignmentLease,
  nextReassignment,
  offerDeclinedAgain,
  reassign,
} from './waiting.ts';

declare module '#platform/events' {
  interface Events {
    /** A site may have chats for available members. */
    assignmentDue: { siteId: string };
  }
}
events.crossesNodes('assignmentDue');

/** Interval of the checks for due chats, while there is anything that can become due. */
const LOOK_EVERY_MS = 1_000;
/**
 * The interval at which queues without a free member (office hours may have begun), failed steps and requests of other nodes
 * (an event is lost if a node dies while Redis is away) are tried again.
 */
const LOOK_AGAIN_MS = 10_000;

/** The background work that assigns chats. */
interface Assigning {
  /** Stops after the step under way. */
  stop(): Promise<void>;
}

/**
 * Assigns waiting chats to available members, reassigns those not opened in time, and hands back chats whose claimer is
 * absent while the visitor waits. Steps run one at a time, so that none relies on state that another is changing. Of several
 * nodes, the one with the lease assigns; all of them watch for absent claimers, because that is guarded and cheap.
 */
export async function startAssigning(deps: AssignDeps, { isAlone }: { isAlone: boolean }): Promise<Assigning> {
  const { lease, presence } = deps;
  const roundRobin = createRoundRobin();
  const absent = createAbsentAgents(deps);
  const requestedSites = new Set<string>();
  const waitingSites = new Set<string>();
  /** The members who came online, and for whose sites this was not looked at yet. */
  const came = new Set<string>();
  let steps = Promise.resolve();
  let isStopped = false;

  const failed = (error: unknown) => events.fail(error, 'assignment');
  function step(work: () => Promise<void>): Promise<void> {
    steps = steps.then(async () => {
      if (!isStopped) await work().catch(failed);
    });
    return steps;
  }

  /** When the next assigned chat may be due, in milliseconds; infinite: none is assigned and unopened. */
  let nextDueAt = 0;
  let lookedAt = 0;
  const reassignIfOurs = async () => {
    const now = deps.now();
    if (!lease.isHeld() || (now < nextDueAt && (isAlone || now < lookedAt + LOOK_AGAIN_MS))) return;
    await reassign(roundRobin, deps);
    nextDueAt = await nextReassignment();
    lookedAt = now;
  };
  const jobs = startJobs([() => step(reassignIfOurs), () => step(absent.handBackDue)], {
    everyMs: LOOK_EVERY_MS,
    now: deps.now,
    failed,
    hasUpcomingWork: async () => absent.isAwaited() || (lease.isHeld() && nextDueAt < Number.POSITIVE_INFINITY),
  });

  /** Schedules a check of a site's queue; several requests before its turn cause one check. */
  function look(siteId: string): void {
    if (requestedSites.has(siteId)) return;
    requestedSites.add(siteId);
    step(async () => {
      requestedSites.delete(siteId);
      // It stays so if this fails.
      waitingSites.add(siteId);
      if ((await assignWaiting(siteId, roundRobin, deps)) === 'nothing') waitingSites.delete(siteId);
      nextDueAt = 0;
      jobs.wake();
    });
  }

  const lookAt = ({ site }: { site: SiteDoc }) => events.emit('assignmentDue', { siteId: site._id.toHexString() });
  const onViewed = ({ chat, site, userId }: { chat: ChatDoc; site: SiteDoc; userId: string }) => {
    if (!chat.assignedUntil || chat.claimedBy?.toHexString() !== userId) return;
    step(() => endAssignmentLease(chat, userId)).then(() => lookAt({ site }));
  };
  const lookForClaimer = (chat: ChatDoc, site: SiteDoc) => {
    step(async () => {
      await absent.visitorWrote(chat, site);
      jobs.wake();
    });
  };
  const onCame = (userId: string) => {
    came.add(userId);
    step(async () => {
      for (const site of await sitesOfUser(userId)) {
        await offerDeclinedAgain(site, userId);
        look(site._id.toHexString());
      }
      came.delete(userId);
    });
  };

  const stopListening = events.stopAll([
    events.everywhere('assignmentDue', ({ siteId }) => {
      if (lease.isHeld()) look(siteId);
    }),
    events.on('chatOpened', lookAt),
    events.on('chatHandedBack', lookAt),
    events.on('chatQueued', lookAt),
    events.on('siteUpdated', lookAt),
    events.on('memberChanged', lookAt),
    events.on('chatViewed', onViewed),
    events.on('agentChanged', ({ userId, online }) => (online && lease.isHeld() ? onCame(userId) : undefined)),
    lease.whenTaken(() => {
      nextDueAt = 0;
      for (const userId of presence.agentsOnline()) onCame(userId);
      jobs.wake();
    }),
    events.on('agentGone', ({ userId }) => {
      absent.left(userId);
      jobs.wake();
    }),
    events.on('messageAdded', ({ chat, site, message }) => {
      if (message.sender === 'visitor' && chat.claimedBy) lookForClaimer(chat, site);
      return message.event === 'handed_over' ? lookAt({ site }) : undefined;
    }),
    events.on('chatWoken', ({ chat, site }) => (chat.claimedBy ? lookForClaimer(chat, site) : lookAt({ site }))),
  ]);
  async function lookEverywhere(): Promise<void> {
    for (const userId of presence.agentsOnline())
      for (const site of await sitesOfUser(userId)) if (site.settings.autoAssign) look(site._id.toHexString());
  }
  await lease.take();
  await absent.findAll();
  jobs.wake();
  const again = setInterval(() => {
    waitingSites.forEach(look);
    came.forEach(onCame);
    if (!isAlone && lease.isHeld()) lookEverywhere().catch(failed);
  }, LOOK_AGAIN_MS).unref();

  return {
    async stop() {
      isStopped = true;
      stopListening();
      clearInterval(again);
      await jobs.stop();
      await steps;
    },
  };
}
