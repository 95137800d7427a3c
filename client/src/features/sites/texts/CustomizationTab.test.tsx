import { screen } from '@testing-library/react';
import type { Department, Site, SitePatch } from 'server/contract';
import { expect, it } from 'vitest';
import { dismiss, OAK, patched, startSites } from '../testing.ts';

const GREETING = { id: 'aaaa0001', text: 'Good day', enabled: true, page: '', after: 0, visits: 'all' } as const;
const SHOP: Site = {
  ...OAK,
  settings: {
    ...OAK.settings,
    preChat: 'optional',
    preChatFields: [
      { id: 'bbbb0001', kind: 'email', label: '', required: true },
      { id: 'bbbb0002', kind: 'choice', label: 'Topic', required: false, options: ['Delivery', 'Returns'] },
    ],
    consent: { text: 'I agree', url: null },
    greetings: [{ ...GREETING, whileOnline: false, oncePerVisitor: true }],
    translations: { fr: { navbarTitle: 'Écrivez-nous' } },
  },
};

const ORDERS: Department = {
  _id: 'cccc0001',
  name: 'Orders',
  members: [],
  hours: null,
  visible: true,
  helpAfterMinutes: null,
  rev: 1,
};
const DEPARTMENTS = [ORDERS, { ...ORDERS, _id: 'cccc0002', name: 'Internal', visible: false }];

async function open() {
  const { user, api } = startSites(`/dashboard/sites/${SHOP._id}?tab=customization`, {
    sites: [SHOP],
    departments: DEPARTMENTS,
  });
  let site = SHOP;
  api.on('PATCH /sites/:id', ({ body }) => {
    site = patched(site, body as SitePatch) as Site;
    return { site };
  });
  await screen.findByRole('button', { name: 'Add a language' });
  const sent = () => api.asked('PATCH /sites/:id').map(({ body }) => body as SitePatch);
  const save = async () => {
    await user.click(screen.getByRole('button', { name: 'Save Changes' }));
    await dismiss(user);
  };
  const choose = (name: string) => user.click(screen.getByRole('button', { name }));
  return { user, sent, save, choose, field: (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name }) };
}

it('adds a language with the keyboard and writes its texts beside the main ones', async () => {
  const { user, sent, save, field } = await open();
  screen.getByRole('button', { name: 'Add a language' }).focus();
  await user.keyboard('{Enter}');
  const names = (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent);
  expect(names).toContain('German');
  expect(names).not.toContain('French');
  await user.click(screen.getByRole('menuitem', { name: 'German' }));
  expect(screen.getByText(/^0 of 10 texts are in German/)).toBeTruthy();
  expect(field('Navbar title').placeholder).toBe(SHOP.customization.navbarTitle);
  await user.type(field('Navbar title'), 'Schreiben Sie uns');
  await user.type(field('Topic: answer 2'), 'Rückgabe');
  await user.type(field('Greeting 1'), 'Guten Tag');
  await user.type(await screen.findByRole('textbox', { name: 'Orders' }), 'Bestellungen');
  await user.type(field('What visitors agree to'), 'Ja');
  await user.clear(field('What visitors agree to'));
  expect(screen.getByText(/^4 of 10 texts are in German/)).toBeTruthy();
  await save();
  expect(sent()).toEqual([
    {
      settings: {
        translations: {
          de: {
            navbarTitle: 'Schreiben Sie uns',
            greetings: { aaaa0001: 'Guten Tag' },
            departments: { cccc0001: 'Bestellungen' },
            fields: { bbbb0002: { options: [{ option: 'Returns', text: 'Rückgabe' }] } },
          },
        },
      },
      base: { settings: { translations: { de: null } } },
    },
  ]);
});

it('removes a language, and says which one the main texts are in', async () => {
  const { user, sent, save, choose } = await open();
  await choose('French');
  expect(screen.getByDisplayValue('Écrivez-nous').getAttribute('lang')).toBe('fr');
  await choose('Remove French');
  expect(screen.queryByRole('button', { name: 'French' })).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Main texts' }));
  await user.click(screen.getByRole('combobox', { name: 'Main language' }));
  await user.click(await screen.findByRole('option', { name: 'German' }));
  expect(screen.getByRole('button', { name: 'Main language: German' })).toBeTruthy();
  await save();
  expect(sent()[0]?.settings).toEqual({ mainLanguage: 'de', translations: { fr: null } });
});
