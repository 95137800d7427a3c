import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSharedShop, type Shop, signedIn, visit } from './harness/shop.ts';

let shop: Shop;
let page: Page;
beforeAll(async () => {
  shop = await openSharedShop();
  for (const [name, said] of [
    ['Mina Park', 'Where is my parcel?'],
    ['Kofi Mensah', 'Do you sell lanterns?'],
  ] as const) {
    const { chatId } = await visit(shop, { name, email: `${name.split(' ')[0]}@example.com` }, said);
    const of = { token: shop.owner.token, params: { id: chatId } };
    await shop.api('POST /chats/:id/claim', of);
    await shop.api('POST /chats/:id/messages', { ...of, body: { content: `An answer for ${name}` } });
    await shop.api('POST /chats/:id/close', of);
  }
  page = await signedIn(shop, shop.owner, '/dashboard/history');
});
afterAll(() => shop.stop());

const rows = () => page.locator('tbody tr[data-index]').allTextContents();

test('a filter narrows the list, is kept in the address, and survives a reload', async () => {
  await expect.poll(rows).toHaveLength(2);
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByRole('searchbox', { name: 'Search', exact: true }).fill('lantern');
  await page.getByText('1 chat(s) found').waitFor();
  expect(new URL(page.url()).searchParams.get('search')).toBe('lantern');
  await page.getByLabel('Supporter').click();
  await page.getByRole('option', { name: 'Ana Oliveira' }).click();
  await expect.poll(() => new URL(page.url()).searchParams.get('supporter')).toBe(shop.owner.user._id);

  await page.reload();
  await page.getByText('1 chat(s) found').waitFor();
  expect((await rows()).join()).toMatch(/Kofi Mensah.*Ana Oliveira/);
  expect(await page.getByRole('searchbox', { name: 'Search', exact: true }).inputValue()).toBe('lantern');
});

test('the transcript opens beside the list, is kept in the address, and closes with Escape', async () => {
  await page.getByRole('button', { name: 'View transcript of Kofi Mensah' }).click();
  const panel = page.getByRole('dialog', { name: 'Kofi Mensah' });
  const messages = panel.getByRole('list', { name: 'Messages' });
  await messages.getByText('Do you sell lanterns?').waitFor();
  await messages.getByText('An answer for Kofi Mensah').waitFor();
  expect(new URL(page.url()).searchParams.get('chat')).toMatch(/^[0-9a-f]{24}$/);
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'hidden' });
  expect(new URL(page.url()).searchParams.has('chat')).toBe(false);
});

test('both exports download the filtered chats', async () => {
  const text = await saved('Export TXT');
  expect(text.name).toBe('chat-history.txt');
  expect(text.content.toString()).toContain('An answer for Kofi Mensah');
  expect(text.content.toString()).not.toContain('Mina');

  const pdf = await saved('Export PDF');
  expect(pdf.name).toBe('chat-history.pdf');
  expect(pdf.content.subarray(0, 5).toString()).toBe('%PDF-');
  expect(pdf.content.subarray(-6).toString()).toContain('%%EOF');
});

const EXPORT = `conversation_id,created_at,message_type,content,contact_name,contact_email
1,2024-05-06 09:00,incoming,"Is the lamp, the amber one, back?",Tove Lie,tove@example.com
1,2024-05-06 09:03,outgoing,It is since Monday.,Tove Lie,tove@example.com
2,2024-05-07 18:30,incoming,Do you repair chairs?,Amara Obi,amara@example.com
2,never,incoming,A line without a time,Amara Obi,amara@example.com
`;

test('the history of another chat is imported from a file, once', async () => {
  const settings = await signedIn(shop, shop.owner, `/dashboard/sites/${shop.site._id}`);
  const section = settings.getByRole('region', { name: 'History of another chat' });
  const check = async () => {
    await settings.getByRole('main').getByText('More', { exact: true }).click();
    await settings.getByRole('button', { name: 'Import history' }).click();
    const file = { name: 'conversations.csv', mimeType: 'text/csv', buffer: Buffer.from(EXPORT) };
    await section.getByLabel('File with the history').setInputFiles(file);
    await section.getByText(/^4 rows/).waitFor();
    await section.getByRole('button', { name: 'Check the file' }).click();
    return section.getByRole('region', { name: 'What would be imported' }).textContent();
  };
  expect(await check()).toMatch(/New chats2New messages3.*cannot be readrow 5$/);
  await section.getByRole('button', { name: 'Import 2 chats' }).click();
  await section.getByRole('link', { name: 'Open the history' }).click();
  await settings.getByRole('button', { name: 'View transcript of Tove Lie' }).click();
  const messages = settings.getByRole('dialog', { name: 'Tove Lie' }).getByRole('list', { name: 'Messages' });
  await messages.getByText('Is the lamp, the amber one, back?').waitFor();
  expect(await messages.textContent()).toMatch(/9:00.*9:03/);

  await settings.goto(`${shop.parley.origin}/dashboard/sites/${shop.site._id}`);
  expect(await check()).toMatch(/New chats0.*2 chats with 3 messages are already there/);
  await settings.context().close();
});

async function saved(label: string): Promise<{ name: string; content: Buffer }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: label }).click(),
  ]);
  return { name: download.suggestedFilename(), content: await readFile(await download.path()) };
}
