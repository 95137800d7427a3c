import type { Site } from 'server/contract';
import { onTestFinished } from 'vitest';
import { apiOf, type CallApi } from '../harness/api.ts';
import { type Parley, type ParleyOptions, startParley } from '../harness/parley.ts';
import { type Account, hire, register } from '../harness/shop.ts';
import { type Agent, createAgent, createVisitor, type Party, type Visitor } from './party.ts';
import { buildScripts } from './scripts.ts';

/** Two shops that know nothing of each other, with their teams and visitors, each person with a line of his own. */
export interface World {
  parley: Parley;
  api: CallApi;
  owner: Account;
  site: Site;
  foreignSite: Site;
  visitors: Visitor[];
  agents: Agent[];
  /** One of the agents, who comes and goes. */
  guest: { account: Account; agent: Agent };
  everybody(): Party[];
  stop(): Promise<void>;
}

/** How it is peopled. */
interface WorldOptions {
  visitors?: number;
  parley?: ParleyOptions;
  /** How many times faster than we their pages live. */
  pace?: number;
}

/** Opens both shops; site A has the visitors, two people of its team and one who comes and goes, site B one of each. */
export async function createWorld({ visitors = 3, parley: options = {}, pace }: WorldOptions = {}): Promise<World> {
  const [scripts, parley] = await Promise.all([buildScripts(), startParley(options)]);
  // By number: of a name's two addresses the one that answers may be given up while this machine is busy.
  const origin = `http://127.0.0.1:${parley.port}`;
  const api = apiOf(origin);
  const owner = await register(api, 'Ana Oliveira');
  const site = await openSite(api, owner, 'Shop A');
  const stranger = await register(api, 'Zoe Quist');
  const foreignSite = await openSite(api, stranger, 'Shop B');
  const guest = await hire({ api, owner, site }, 'Ben Ito', 'agent');
  const means = { origin, scripts, pace };

  const all = Array.from({ length: visitors }, (_, i) => createVisitor(`v${i + 1}`, 'A', site.widgetCode, means));
  const foreigner = createVisitor('v0', 'B', foreignSite.widgetCode, means);
  const ana = createAgent('ana', 'A', owner.token, means);
  const ben = createAgent('ben', 'A', guest.token, means);
  const zoe = createAgent('zoe', 'B', stranger.token, means);
  const world: World = {
    ...{ parley, api, owner, site, foreignSite, visitors: [...all, foreigner], agents: [ana, ben, zoe] },
    guest: { account: guest, agent: ben },
    everybody: () => [...world.visitors, ...world.agents],
    async stop() {
      for (const { tabs } of world.everybody()) for (const { page } of tabs) page.close();
      await parley.stop();
    },
  };
  // Also where the test fails: no server outlives it.
  onTestFinished(world.stop);
  return world;
}

/** A site whose chats wait until somebody claims them. */
async function openSite(api: CallApi, { token }: Account, name: string): Promise<Site> {
  const domain = `${name.toLowerCase().replace(' ', '-')}.example.com`;
  return (await api('POST /sites', { token, body: { name, domain, settings: { autoAssign: false } } })).site;
}
