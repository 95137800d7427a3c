import { afterAll, beforeAll, expect, test } from 'vitest';
import { inboxOf } from './harness/dashboard.ts';
import { meetIn, type People } from './harness/owner-and-visitor.ts';
import { openSharedShop } from './harness/shop.ts';
import { widgetOf } from './harness/widget.ts';

let people: People;
beforeAll(async () => {
  people = await meetIn(await openSharedShop());
});
afterAll(() => people.stop());

test('when both sides reload in a conversation, no message is lost or duplicated, and drafts stay', async () => {
  const { staff, visitor } = people;
  const { inbox } = staff;
  const { widget } = visitor;
  await widget.open();
  await widget.send('Hello');
  await expect.poll(inbox.rows).toHaveLength(1);
  await inbox.openChat(0);
  await inbox.send('Hi, how can I help?');
  await expect.poll(widget.messages).toEqual(['Hello', 'Hi, how can I help?']);
  await widget.type('My order num');
  await inbox.type('Let me look');

  await Promise.all([visitor.page.reload(), staff.page.reload()]);

  await expect.poll(inbox.messages).toEqual(['Hello', 'Hi, how can I help?']);
  await expect.poll(() => inbox.composer.inputValue()).toBe('Let me look');
  // The panel was open, and is open again.
  await expect.poll(widget.messages).toEqual(['Hello', 'Hi, how can I help?']);
  expect(await widget.composer.inputValue()).toBe('My order num');

  await widget.send('My order number is 12');
  await inbox.send('Let me look at it');
  const whole = ['Hello', 'Hi, how can I help?', 'My order number is 12', 'Let me look at it'];
  await expect.poll(async () => (await widget.messages()).sort()).toEqual([...whole].sort());
  await expect.poll(inbox.messages).toEqual(await widget.messages());
});

test('messages written offline survive a reload and are sent when the connection is back', async () => {
  const { staff, visitor } = people;
  const before = await visitor.widget.messages();
  await visitor.page.context().setOffline(true);
  await visitor.widget.send('Written in a tunnel');
  await expect.poll(visitor.widget.state).toBe('Sending');
  await visitor.page.close();

  const context = visitor.page.context();
  await context.setOffline(false);
  const page = await context.newPage();
  await page.goto(people.host.url);
  const widget = widgetOf(page);
  await widget.open();
  await expect.poll(widget.messages).toEqual([...before, 'Written in a tunnel']);
  await expect.poll(inboxOf(staff.page).messages).toEqual([...before, 'Written in a tunnel']);
});

test('a second tab shows the same conversation live', async () => {
  const { staff, visitor } = people;
  const context = visitor.page.context();
  const [first] = context.pages();
  if (!first) throw new Error('the first tab is gone');
  const second = await context.newPage();
  await second.goto(people.host.url);
  const tabs = [widgetOf(first), widgetOf(second)] as const;
  await tabs[1].open();
  await tabs[1].send('From the second tab');
  await expect.poll(async () => (await tabs[0].messages()).at(-1)).toBe('From the second tab');
  // The tabs share the outbox, too: only after it is sent do answers follow it.
  await expect.poll(async () => (await staff.inbox.messages()).at(-1)).toBe('From the second tab');
  await staff.inbox.send('Seen in both');
  for (const tab of tabs) await expect.poll(async () => (await tab.messages()).at(-1)).toBe('Seen in both');
  expect(await tabs[0].messages()).toEqual(await tabs[1].messages());
});
