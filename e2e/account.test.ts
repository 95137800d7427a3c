import { readFileSync } from 'node:fs';
import { generate } from 'otplib';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newContext } from './harness/browser.ts';
import { addMember, openSharedShop, PASSWORD, type Shop, signedIn, visit } from './harness/shop.ts';

/** A code is valid for its half minute and the two beside it, and only once: the next log-in needs the next code. */
const STEP_S = 30;

const german = JSON.parse(readFileSync(new URL('../client/src/locales/de.json', import.meta.url), 'utf8'));

let shop: Shop;
let page: Page;
let recoveryCode: string;
let secret: string;
beforeAll(async () => {
  shop = await openSharedShop();
  page = await signedIn(shop, shop.owner, '/dashboard/settings?tab=security');
});
afterAll(() => shop.stop());

test('two-factor authentication is set up with a code from the app, and recovery codes are shown', async () => {
  const toggle = page.getByRole('switch', { name: 'Two-factor authentication' });
  await toggle.click();
  await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
  await page.getByText('Cannot scan the QR code?').click();
  secret = (await page.getByRole('dialog').locator('code').textContent()) ?? '';
  await page.getByRole('dialog').getByLabel('Current password').fill(PASSWORD);
  await page.getByLabel('Code from the app').fill('000000');
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByLabel('Code from the app').and(page.locator('[aria-invalid=true]')).waitFor();
  await page.getByLabel('Code from the app').fill(await generate({ secret }));
  await page.getByRole('button', { name: 'Turn on' }).click();
  const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  recoveryCode = (await codes.first().textContent()) ?? '';
  expect(await codes.count()).toBeGreaterThanOrEqual(8);
  await page.getByRole('button', { name: 'I have saved them' }).click();
  await expect.poll(() => toggle.isChecked()).toBe(true);
});

test('the next login asks for a code and accepts the correct one', async () => {
  const stranger = await logIn();
  await stranger.getByLabel('Code', { exact: true }).fill('000000');
  await stranger.getByRole('button', { name: 'Login', exact: true }).click();
  await stranger.getByRole('alert').waitFor();
  expect(new URL(stranger.url()).pathname).toBe('/login');
  const epoch = Math.floor(Date.now() / 1000) + STEP_S;
  await stranger.getByLabel('Code', { exact: true }).fill(await generate({ secret, epoch }));
  await stranger.getByRole('button', { name: 'Login', exact: true }).click();
  await stranger.waitForURL(`${shop.parley.origin}/dashboard`);
  await stranger.context().close();
});

test('a recovery code signs in once without the phone', async () => {
  for (const isFirst of [true, false]) {
    const stranger = await logIn();
    await stranger.getByRole('button', { name: 'Use a recovery code' }).click();
    await stranger.getByLabel('Recovery code').fill(recoveryCode);
    await stranger.getByRole('button', { name: 'Login', exact: true }).click();
    if (isFirst) await stranger.waitForURL(`${shop.parley.origin}/dashboard`);
    else await stranger.getByRole('alert').waitFor();
    await stranger.context().close();
  }
});

test('the dashboard speaks the language of the browser until its user chooses another one, and is mirrored for Arabic', async () => {
  const { browser, parley, site } = shop;
  const { chatId } = await visit(shop, { name: 'Mina Park' }, 'Where is my parcel?');
  const person = await addMember(shop, 'Lea Roth', 'agent');
  const chat = `/dashboard/inbox?chat=${chatId}`;
  const guest = await (await newContext(browser, { locale: 'de-AT' })).newPage();
  await guest.goto(`${parley.origin}/login`);
  await guest.getByRole('button', { name: german.Login, exact: true }).waitFor();
  expect(await guest.locator('html').getAttribute('lang')).toBe('de');
  await guest.context().close();

  const reader = await signedIn(shop, person, chat);
  await reader.getByRole('textbox', { name: 'Message' }).fill('On its way');
  await reader.goto(`${parley.origin}/dashboard/settings`);
  await reader.getByRole('combobox', { name: 'Language of the dashboard' }).click();
  await reader.getByRole('option', { name: 'العربية' }).click();
  await reader.locator('html[lang=ar][dir=rtl]').waitFor();
  await reader.goto(parley.origin + chat);
  const field = reader.locator('textarea');
  await field.waitFor();
  expect(await field.inputValue()).toBe('On its way');
  const navigation = await reader.locator('aside').first().boundingBox();
  expect(navigation?.x).toBeGreaterThan(720);
  const width = await reader.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(width).toBe(0);
  // On another computer it is known as soon as the user is.
  const elsewhere = await signedIn(shop, person, `/dashboard/sites/${site._id}/chats`, {
    viewport: { width: 360, height: 740 },
  });
  await elsewhere.locator('html[lang=ar][dir=rtl]').waitFor();
  await Promise.all([reader, elsewhere].map((each) => each.context().close()));
});

/** Opens a new browser context and enters the password. */
async function logIn(): Promise<Page> {
  const stranger = await (await newContext(shop.browser)).newPage();
  await stranger.goto(`${shop.parley.origin}/login`);
  await stranger.getByLabel('Email').fill(shop.owner.user.email);
  await stranger.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await stranger.getByRole('button', { name: 'Login', exact: true }).click();
  await stranger.getByRole('heading', { name: 'One more step' }).waitFor();
  return stranger;
}
