import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BusyShop, openBusyShop } from './harness/busy-shop.ts';
import { checkScreens } from './harness/screen-checks.ts';

let shop: BusyShop;
beforeAll(async () => {
  shop = await openBusyShop();
});
afterAll(() => shop.stop());

test('axe finds no problems in dialogs, menus and panels of the inbox', async () => {
  const path = `/dashboard/inbox?chat=${shop.ids.open}`;
  await replyWithFile();
  await shop.api('POST /inbox/views', { token: shop.owner.token, body: { name: 'Parcels' } });
  const found = await checkScreens(shop.staff, shop.parley.origin, [
    { path, press: ['More'], shows: 'menu' },
    { path, press: ['More', 'Hand to a teammate'], shows: 'dialog' },
    { path, press: ['More', 'Snooze'], shows: 'dialog' },
    { path, press: ['More', 'Delete chat'], shows: 'alertdialog' },
    { path, press: ['Emoji'], shows: 'dialog' },
    { path, press: ['Edit contact details'], shows: 'dialog' },
    { path, press: ['Canned replies'], shows: 'listbox' },
    { path, press: ['Note', 'Mention a teammate'], shows: 'listbox' },
    { path: `${path}&at=1`, press: ['Search in this chat'] },
    { path: '/dashboard/inbox?tag=parcel&agent=none&unread=yes' },
    { path: '/dashboard/inbox', press: ['Filters'], shows: 'dialog' },
    { path: '/dashboard/inbox?tag=parcel', press: ['View: Chat Inbox'], shows: 'menu' },
    { path: '/dashboard/inbox?tag=parcel', press: ['View: Chat Inbox', 'Save this view'], shows: 'dialog' },
    { path: '/dashboard/inbox', press: ['View: Parcels', 'Manage views'], shows: 'dialog' },
    { path: '/dashboard/inbox', press: ['Select the chat of Mina Park'] },
    { path: '/dashboard/inbox', press: ['Select the chat of Mina Park', 'Tag'], shows: 'dialog' },
  ]);
  expect([...found, ...shop.problems.flat()]).toEqual([]);
});

/** A canned reply that comes with a file. */
async function replyWithFile(): Promise<void> {
  const { api, owner, parley, ids } = shop;
  const body = { siteId: ids.site, shortcut: 'map', content: 'This is the way to our shop.' };
  const { reply } = await api('POST /canned-replies', { token: owner.token, body });
  const answer = await fetch(`${parley.origin}/api/canned-replies/${reply._id}/files?name=map.txt`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${owner.token}`, 'Content-Type': 'application/octet-stream' },
    body: 'Straight on, then left.',
  });
  expect(answer.status).toBe(201);
}

test('axe finds no problems in dialogs of websites, teams, history, visitors and settings', async () => {
  const { site, closed } = shop.ids;
  const ofSite = `/dashboard/sites/${site}`;
  const security = '/dashboard/settings?tab=security';
  const look = `${ofSite}?tab=customization`;
  await shop.api('PATCH /sites/:id', {
    token: shop.owner.token,
    params: { id: site },
    body: {
      settings: {
        greetings: [
          {
            id: '0123456789abcdef',
            text: 'Can I help you?',
            enabled: true,
            page: '',
            after: 5,
            visits: 'all',
            whileOnline: true,
            oncePerVisitor: false,
          },
        ],
        preChat: 'required',
        preChatFields: [
          { kind: 'email', label: '', required: true },
          { kind: 'choice', label: 'Branch', required: false, options: ['Harbour', 'Hill'] },
        ],
        consent: { text: 'You may store what I write.', url: 'https://example.com/privacy' },
      },
    },
  });
  await fetch(`${shop.parley.origin}/api/sites/${site}/imports?name=chats.csv`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${shop.owner.token}` },
    body: 'chat_id,time,from,text\n1,2024-05-06,visitor,Hi',
  });
  const found = await checkScreens(shop.staff, shop.parley.origin, [
    { path: '/dashboard/sites', press: ['Show Embed Code'] },
    { path: '/dashboard/sites', press: ['Delete Example shop'], shows: 'alertdialog' },
    { path: ofSite, press: ['More'] },
    { path: look, press: [/^Can I help you/] },
    { path: `${ofSite}?tab=webhooks`, press: ['Add webhook'] },
    { path: ofSite, press: ['More', 'Edit canned replies'], shows: 'dialog' },
    { path: ofSite, press: ['More', 'Edit canned replies', 'Edit /map'], shows: 'dialog' },
    { path: ofSite, press: ['More', 'Import history'] },
    { path: ofSite, press: ['More', 'Hand over'], shows: 'dialog' },
    { path: '/dashboard/team', press: ['Invite Team Member'], shows: 'dialog' },
    { path: '/dashboard/team', press: ['Edit Ben Ito'], shows: 'dialog' },
    { path: '/dashboard/team', press: ['Remove Ben Ito'], shows: 'alertdialog' },
    { path: '/dashboard/history', press: ['Filters'] },
    { path: '/dashboard/history', press: ['Select the chat of Mina Park'] },
    { path: '/dashboard/history', press: ['Export'], shows: 'menu' },
    { path: `/dashboard/history?chat=${closed}`, shows: 'dialog' },
    { path: security, press: ['Two-factor authentication'], shows: 'dialog' },
    { path: security, press: ['Create API key'], shows: 'dialog' },
    { path: '/dashboard/settings', press: ['Delete account'], shows: 'dialog' },
    { path: '/admin', press: ['Actions for Ben Ito'], shows: 'menu' },
  ]);
  expect([...found, ...shop.problems.flat()]).toEqual([]);
});
