import type { Site } from 'server/contract';
import { onTestFinished } from 'vitest';
import { apiOf, type CallApi } from '../harness/api.ts';
import { type Parley, type ParleyOptions, startParley } from '../harness/parley.ts';
import { type Account, addMember, register } from '../harness/shop.ts';
import { buildBundles } from './bundles.ts';
import { type Agent, createAgent, createVisitor, type Participant, type Visitor } from './participants.ts';

/** Two separate shops with their teams and visitors. Each person has a browser and networks of their own. */
export interface World {
  parley: Parley;
  api: CallApi;
  owner: Account;
  site: Site;
  foreignSite: Site;
  visitors: Visitor[];
  agents: Agent[];
  /** The agent who is removed from the team and invited again. */
  guest: { account: Account; agent: Agent };
  everybody(): Participant[];
  stop(): Promise<void>;
}

interface WorldOptions {
  visitors?: number;
  parley?: ParleyOptions;
  /** A Parley that runs already; the world ends it. */
  running?: Parley;
  /** How many times faster the clock of the pages runs. */
  pace?: number;
  /** The code of another release, of which every other page is. */
  former?: string | undefined;
}

/** Sets both shops up: site A with the visitors, two team members and the guest, site B with a visitor and an agent. */
export async function createWorld({
  visitors = 3,
  parley: options = {},
  running,
  pace,
  former,
}: WorldOptions = {}): Promise<World> {
  const [present, past, parley] = await Promise.all([
    buildBundles(),
    former === undefined ? null : buildBundles(former),
    running ?? startParley(options),
  ]);
  // Not `localhost`: it has two addresses, and on a busy machine the one that works may time out.
  const origin = `http://127.0.0.1:${parley.port}`;
  const api = apiOf(origin);
  const owner = await register(api, 'Ana Oliveira');
  const site = await openSite(api, owner, 'Shop A');
  const stranger = await register(api, 'Zoe Quist');
  const foreignSite = await openSite(api, stranger, 'Shop B');
  const guest = await addMember({ api, owner, site }, 'Ben Ito', 'agent');
  const means = { origin, bundles: present, pace };
  const others = { ...means, bundles: past ?? present };

  const all = Array.from({ length: visitors }, (_, i) =>
    createVisitor(`v${i + 1}`, 'A', site.widgetCode, i % 2 === 0 ? means : others),
  );
  const foreigner = createVisitor('v0', 'B', foreignSite.widgetCode, means);
  const ana = createAgent('ana', 'A', owner.token, means);
  const ben = createAgent('ben', 'A', guest.token, others);
  const zoe = createAgent('zoe', 'B', stranger.token, means);
  const world: World = {
    parley,
    api,
    owner,
    site,
    foreignSite,
    visitors: [...all, foreigner],
    agents: [ana, ben, zoe],
    guest: { account: guest, agent: ben },
    everybody: () => [...world.visitors, ...world.agents],
    async stop() {
      for (const { tabs } of world.everybody()) for (const { page } of tabs) page.close();
      await parley.stop();
    },
  };
  // Also if the test fails, so that no server is left running.
  onTestFinished(world.stop);
  return world;
}

/** A site whose chats wait until somebody claims them. */
async function openSite(api: CallApi, { token }: Account, name: string): Promise<Site> {
  const domain = `${name.toLowerCase().replace(' ', '-')}.example.com`;
  return (await api('POST /sites', { token, body: { name, domain, settings: { autoAssign: false } } })).site;
}
