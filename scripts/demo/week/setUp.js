import { openHelpCenter } from '../help.js';
import { TEAM } from './people.js';

/** Of every account of the demo. */
export const PASSWORD = 'throw-away-demo-42';

const GREETINGS = [
  {
    id: '0f8c5b7e-6c1d-4c0e-9a55-7d1f0b0c1b01',
    text: 'Looking for a gift? We wrap every lantern.',
    page: '/lighthouse',
  },
  { id: '0f8c5b7e-6c1d-4c0e-9a55-7d1f0b0c1b02', text: 'Good to see you again. Can we help?', page: '' },
];
/** The greeting that chats of the week answer to. */
export const GREETING = GREETINGS[0].id;

const SITE = {
  name: 'Harbour Lanterns',
  domain: 'localhost',
  customization: { color: '#0f766e', navbarTitle: 'Harbour Lanterns', welcomeMessage: 'Ahoy! What may we light up?' },
  settings: {
    // Who signs in to the demo finds chats that wait.
    autoAssign: false,
    visitorPages: true,
    greetings: GREETINGS.map((greeting, at) => ({
      ...greeting,
      enabled: true,
      after: 20,
      visits: at === 0 ? 'all' : 'returning',
      whileOnline: true,
      oncePerVisitor: true,
    })),
  },
};

const REPLIES = [
  {
    by: 'Mara',
    shortcut: 'hello',
    content: 'Hello {{visitor.name|there}}! This is {{agent.name}}. What may I do for you?',
  },
  { by: 'Mara', shortcut: 'oil', content: 'Lamp oil without colour and scent. Please never petrol or spirit.' },
  {
    by: 'Mara',
    shortcut: 'glass',
    content: 'I am sorry! A new glass leaves our workshop today. You need not send anything back.',
  },
  {
    by: 'Mara',
    shortcut: 'return',
    content: 'You have 30 days. I am sending you the label now; any post office takes the parcel.',
  },
  {
    by: 'Mara',
    shortcut: 'gift',
    content: 'Choose “This is a gift” in the basket: we wrap it in blue paper and leave the price out.',
  },
  { by: 'Mara', shortcut: 'bye', content: 'Thank you for writing to {{site.name}}. Have a bright evening!' },
  { by: 'Salma', shortcut: 'ar', content: 'أهلًا {{visitor.name}}! معك {{agent.name}}، كيف أساعدك؟', personal: true },
];

/** Opens the shop's account, team, website and help centre, as the dashboard does. @returns who works there, and the website */
export async function setUp({ call, shop }) {
  const team = {};
  const register = async ({ name, email }) => {
    const body = { name, email, password: PASSWORD, confirmPassword: PASSWORD };
    const { token, user } = await call('POST', '/auth/register', body);
    return { name, id: user._id, token };
  };
  team.Mara = await register(TEAM.Mara);
  const { token } = team.Mara;
  const asOwner = (method, path, body) => call(method, path, body, { token });
  const { site } = await asOwner('POST', '/sites', SITE);
  await openHelpCenter(asOwner, site._id);
  for (const name of ['Jonas', 'Salma']) {
    team[name] = await register(TEAM[name]);
    const { email, role } = TEAM[name];
    const { invite } = await asOwner('POST', '/team/invites', { email, role, siteId: site._id });
    await call('POST', `/invites/${invite._id}/accept`, {}, { token: team[name].token });
  }
  for (const { by, ...reply } of REPLIES)
    await call('POST', '/canned-replies', { siteId: site._id, ...reply }, { token: team[by].token });
  await asOwner('POST', '/inbox/views', { name: 'Broken glass', siteId: site._id, tag: 'broken glass' });
  await asOwner('POST', '/inbox/views', { name: 'My open chats', status: 'active', claimedBy: 'me', sort: 'waiting' });
  const events = ['chat.opened', 'chat.closed', 'chat.rated'];
  await asOwner('POST', `/sites/${site._id}/webhooks`, { url: shop.eventsUrl, events });
  return { team, site };
}
