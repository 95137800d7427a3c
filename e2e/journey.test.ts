import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OwnerAndVisitor, startOwnerAndVisitor } from './harness/owner-and-visitor.ts';

let people: OwnerAndVisitor;
beforeAll(async () => {
  people = await startOwnerAndVisitor({ strict: true });
});
afterAll(() => people.stop());

test('a visitor and an agent chat live, from the first message to the next conversation', async () => {
  const { inbox, page: staffPage } = people.staff;
  const { widget } = people.visitor;

  await widget.open();
  await widget.send('Do you ship to Norway?');
  await expect.poll(widget.messages).toEqual(['Do you ship to Norway?']);
  await expect.poll(inbox.rows).toHaveLength(1);
  await expect.poll(async () => (await inbox.rows())[0]).toContain('Do you ship to Norway?');
  expect((await inbox.rows())[0]).toMatch(/waiting/i);

  await inbox.openChat(0);
  await inbox.claim();
  await expect.poll(async () => (await inbox.rows())[0]).toMatch(/active/i);
  await expect.poll(() => staffPage.getByText('Claimed by you').count()).toBeGreaterThan(0);
  await expect.poll(widget.state).toBe('Read');

  await inbox.send('Yes, in three days.');
  await expect.poll(widget.messages).toEqual(['Do you ship to Norway?', 'Yes, in three days.']);
  await expect.poll(inbox.state).toBe('Read');

  await inbox.close();
  await expect.poll(widget.notes).toHaveLength(1);
  await expect.poll(async () => (await inbox.rows())[0]).toMatch(/closed/i);

  const rating = people.visitor.page.getByText('How was this chat?');
  await rating.waitFor();
  await staffPage.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(async () => (await inbox.rows())[0]).toMatch(/active/i);
  await rating.waitFor({ state: 'detached' });
  await widget.send('Wait, how much is it?');
  await expect.poll(async () => (await inbox.messages()).at(-1)).toBe('Wait, how much is it?');
  await inbox.send('Five euros.');
  const asked = ['Do you ship to Norway?', 'Yes, in three days.', 'Wait, how much is it?'];
  for (const messages of [widget.messages, inbox.messages])
    await expect.poll(messages).toEqual([...asked, 'Five euros.']);
  await inbox.composer.press('ArrowUp');
  const editor = staffPage.getByRole('textbox', { name: 'Edit message' });
  await editor.fill('Six euros.');
  await editor.press('Enter');
  for (const messages of [widget.messages, inbox.messages])
    await expect.poll(messages).toEqual([...asked, 'Six euros.edited']);
  await staffPage.getByRole('button', { name: 'Delete message' }).last().click();
  await staffPage.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  const said = [...asked, 'Message deleted'];
  for (const messages of [widget.messages, inbox.messages]) await expect.poll(messages).toEqual(said);
  await inbox.close();
  await staffPage.getByRole('button', { name: 'Reopen' }).click();
  await expect.poll(widget.notes).toHaveLength(4);
  await inbox.close();
  await expect.poll(widget.notes).toHaveLength(5);
  await expect.poll(async () => (await inbox.rows())[0]).toMatch(/closed/i);

  await widget.send('One more thing');
  await expect.poll(inbox.rows).toHaveLength(2);
  await expect.poll(async () => (await inbox.rows())[0]).toContain('One more thing');
  await inbox.openChat(0);
  await expect.poll(inbox.messages).toEqual(['One more thing']);
  expect(await widget.messages()).toEqual([...said, 'One more thing']);

  // The visitor corrects the message with the keyboard, while another one is being written, and deletes it with the pointer.
  const { page } = people.visitor;
  await widget.type('Something else');
  const menu = page.getByRole('log').getByRole('button', { name: 'More' }).last();
  await menu.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Edit' }).waitFor();
  await page.keyboard.press('Enter');
  const field = page.getByRole('textbox', { name: 'Edit message' });
  await expect.poll(() => field.inputValue()).toBe('One more thing');
  await page.keyboard.type('?');
  await page.keyboard.press('Enter');
  await expect.poll(inbox.messages).toEqual(['One more thing?edited']);
  await expect.poll(widget.messages).toEqual([...said, 'One more thing?edited']);
  expect(await widget.composer.inputValue()).toBe('Something else');
  await page.getByText('One more thing?').hover();
  await menu.click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect.poll(inbox.messages).toEqual(['Message deleted']);
  await expect.poll(widget.messages).toEqual([...said, 'Message deleted']);

  await widget.send('My card is 4111 1111 1111 1111');
  await expect.poll(async () => (await inbox.messages()).at(-1)).toBe('My card is •••• •••• •••• 1111');
  await inbox.send('Not 5555-5555-5555-4444?');
  const masked = ['Message deleted', 'My card is •••• •••• •••• 1111', 'Not ••••-••••-••••-4444?'];
  await expect.poll(inbox.messages).toEqual(masked);
  await expect.poll(widget.messages).toEqual([...said, ...masked]);
});

test('neither page reported an error, a policy violation or a request to another server', () => {
  expect(people.problems.flat()).toEqual([]);
});
