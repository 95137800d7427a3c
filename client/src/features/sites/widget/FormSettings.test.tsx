import { screen } from '@testing-library/react';
import type { Site } from 'server/contract';
import { expect, it } from 'vitest';
import { ANA, dismiss, OAK, startSites } from '../testing.ts';

const OWN: Site = { ...OAK, owner: ANA._id };

it('edits the form before the chat with the keyboard, and says what is wrong with it', async () => {
  const { user, api } = startSites(`/dashboard/sites/${OWN._id}?tab=customization`, { sites: [OWN] });
  api.on('PATCH /sites/:id', { site: OWN });
  const press = async (name: string) => {
    screen.getByRole('button', { name }).focus();
    await user.keyboard('{Enter}');
  };
  await user.click(await screen.findByRole('combobox', { name: 'Form before the chat' }));
  await user.click(await screen.findByRole('option', { name: /^Required/ }));
  await press('Add choice');
  await user.type(screen.getByRole('textbox', { name: 'Label of Choice, field 3' }), 'Topic');
  await press('Move Topic up');
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Move Topic up' }));
  expect(screen.getByText('Topic is now 2 of 3')).toBeTruthy();
  await press('Move Topic up');
  // It is the first one now: the other button has the focus.
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Move Topic down' }));
  await press('Remove Email');
  await press('Add phone');
  expect(screen.queryByRole('button', { name: 'Add phone' })).toBeNull();
  await user.click(screen.getByRole('checkbox', { name: 'Name is required' }));
  await user.click(screen.getByRole('checkbox', { name: 'Ask for consent' }));
  await user.type(screen.getByRole('textbox', { name: 'Link of the consent' }), 'http://oak.example');
  await user.click(screen.getByRole('button', { name: 'Save Changes' }));
  expect(await screen.findByText('“Topic” needs at least two different answers')).toBeTruthy();
  expect(screen.getByText('Write what visitors agree to')).toBeTruthy();
  await user.type(screen.getByRole('textbox', { name: 'Answers' }), 'Delivery{Enter}{Enter}Returns{Enter}');
  await user.type(screen.getByRole('textbox', { name: 'What visitors agree to' }), 'I agree');
  await user.click(screen.getByRole('button', { name: 'Save Changes' }));
  expect(await screen.findByText('The link must be an address that begins with https://')).toBeTruthy();
  await user.clear(screen.getByRole('textbox', { name: 'Link of the consent' }));
  await user.click(screen.getByRole('button', { name: 'Save Changes' }));
  await dismiss(user);
  expect(api.asked('PATCH /sites/:id')[0]?.body).toMatchObject({
    settings: {
      preChat: 'required',
      preChatFields: [
        { kind: 'choice', label: 'Topic', required: false, options: ['Delivery', 'Returns'] },
        { kind: 'name', label: '', required: false },
        { kind: 'phone', label: '', required: false },
      ],
      consent: { text: 'I agree', url: null },
    },
  });
});
