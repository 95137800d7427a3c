import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newContext } from './harness/browser.ts';
import { inboxOf, openInbox } from './harness/dashboard.ts';
import { addMember, openSharedShop, PASSWORD, type Shop, say, signedIn, visit } from './harness/shop.ts';

let shop: Shop;
let owner: Page;
let agent: Page;
beforeAll(async () => {
  shop = await openSharedShop();
  owner = await signedIn(shop, shop.owner, '/dashboard/team');
});
afterAll(() => shop.stop());

test('an owner invites an agent, who signs up with the link, accepts, and answers a visitor', async () => {
  const { origin } = shop.parley;
  await owner.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
  await owner.getByRole('button', { name: 'Invite Team Member' }).click();
  await owner.getByLabel('Email').fill('ben@example.com');
  await owner.getByRole('button', { name: 'Send Invite' }).click();
  // Without mail, the dialog shows the link.
  await owner.getByRole('button', { name: 'Copy Link' }).click();
  await owner.getByText('Copied').waitFor();
  const link = await owner.evaluate(() => navigator.clipboard.readText());
  await owner.getByRole('button', { name: 'Done' }).click();
  await owner.getByText('Invited as agent').waitFor();

  agent = await (await newContext(shop.browser)).newPage();
  await agent.goto(link);
  await agent.getByRole('heading', { name: 'Ana Oliveira invited you to Example shop' }).waitFor();
  await agent.getByRole('link', { name: 'Sign up' }).click();
  expect(await agent.getByLabel('Email').inputValue()).toBe('ben@example.com');
  await agent.getByLabel('Full name').fill('Ben Ito');
  await agent.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await agent.getByLabel('Confirm password').fill(PASSWORD);
  await agent.getByRole('button', { name: 'Sign Up' }).click();
  await agent.getByRole('button', { name: 'Accept invite' }).click();
  await agent.waitForURL(`${origin}/dashboard`);
  await owner.getByRole('list', { name: 'Team members' }).getByText('Ben Ito').waitFor();

  const { session } = await visit(shop, { name: 'Mina' }, 'Is the blue one in stock?');
  const inbox = await openInbox(agent, origin);
  await expect.poll(inbox.rows).toHaveLength(1);
  await inbox.openChat(0);
  await inbox.claim();
  await inbox.send('It is, three of them.');
  await expect.poll(inbox.state).toBe('Sent');
  const { messages } = await shop.api('POST /widget/:widgetCode/session', {
    params: { widgetCode: shop.site.widgetCode },
    body: { visitorToken: session.visitorToken },
  });
  expect(messages.at(-1)).toMatchObject({ content: 'It is, three of them.', senderName: 'Ben Ito' });
});

test('of two concurrent claims one succeeds, and the other person sees who was faster', async () => {
  const { chatId } = await visit(shop, { name: 'Kofi' }, 'Who takes me?');
  for (const page of [owner, agent]) {
    await page.goto(`${shop.parley.origin}/dashboard/inbox?chat=${chatId}`);
    await page.getByRole('button', { name: 'Claim', exact: true }).waitFor();
  }
  // The owner's claim is sent first, and arrives second.
  let letGo = () => {};
  const agentHasIt = new Promise<void>((resolve) => (letGo = resolve));
  await owner.route('**/claim', (route) => agentHasIt.then(() => route.continue()));
  await inboxOf(owner).claim();
  const [answer] = await Promise.all([
    agent.waitForResponse((response) => response.url().endsWith('/claim')),
    inboxOf(agent).claim(),
  ]);
  expect(answer.status()).toBe(200);
  letGo();

  await owner.getByText('This chat was already claimed by Ben Ito.').waitFor();
  const chat = owner.getByRole('region', { name: 'Chat', exact: true });
  await chat.getByText('Claimed by Ben Ito').waitFor();
  expect(await chat.getByText('Claimed by you').count()).toBe(0);
  await agent.getByRole('region', { name: 'Chat', exact: true }).getByText('Claimed by you').waitFor();
});

test('a viewer sees the messages live, and cannot write', async () => {
  const viewer = await addMember(shop, 'Vera Lind', 'viewer');
  const { session, chatId } = await visit(shop, { name: 'Lena' }, 'Do you open on Sunday?');
  const page = await signedIn(shop, viewer, `/dashboard/inbox?chat=${chatId}`);
  const inbox = inboxOf(page);
  await expect.poll(inbox.messages).toEqual(['Do you open on Sunday?']);
  await say(shop, session, 'Or on Monday?');
  await expect.poll(inbox.messages).toEqual(['Do you open on Sunday?', 'Or on Monday?']);
  await page.getByText('You can read this chat, but not answer it: your role on this website is viewer.').waitFor();
  expect(await inbox.composer.count()).toBe(0);
  expect(await page.getByRole('button', { name: /^(Claim|Close|Send)/ }).count()).toBe(0);

  const { token } = viewer;
  const params = { id: chatId };
  const writing = () => shop.api('POST /chats/:id/messages', { token, params, body: { content: 'Yes!' } });
  const claiming = () => shop.api('POST /chats/:id/claim', { token, params });
  const closing = () => shop.api('POST /chats/:id/close', { token, params });
  for (const act of [writing, claiming, closing]) await expect(act()).rejects.toThrow(/^403 /);
  expect(await inbox.messages()).toEqual(['Do you open on Sunday?', 'Or on Monday?']);
});

test('a colleague mentioned in a note is told at once, and opens the chat at the note', async () => {
  const { chatId } = await visit(shop, { name: 'Noor' }, 'Where is my parcel?');
  await agent.goto(`${shop.parley.origin}/dashboard`);
  await owner.goto(`${shop.parley.origin}/dashboard/inbox?chat=${chatId}`);
  await owner.getByRole('button', { name: 'Note', exact: true }).click();
  await owner.getByRole('textbox', { name: 'Note' }).pressSequentially('Do you know more, @be');
  await owner.getByRole('option', { name: /Ben Ito/ }).waitFor();
  await owner.keyboard.press('Enter');
  await owner.keyboard.type('?');
  await owner.keyboard.press('Enter');
  await owner.locator('mark', { hasText: '@Ben Ito' }).waitFor();

  await agent.getByText('Ana Oliveira mentioned you in the chat with Noor').waitFor();
  await agent.getByRole('status').getByRole('button', { name: 'Open' }).click();
  const note = agent.getByRole('article', { name: 'Note by Ana Oliveira' });
  await expect.poll(() => note.getAttribute('aria-current')).toBe('true');
  expect(await note.locator('mark').textContent()).toBe('@Ben Ito (you)');
  await agent.getByRole('button', { name: /^Notifications/ }).click();
  await expect.poll(() => agent.getByRole('link', { name: /mentioned you/ }).count()).toBe(0);
});
