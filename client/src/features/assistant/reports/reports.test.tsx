import { screen, within } from '@testing-library/react';
import type { AssistantDay } from 'server/contract';
import { expect, it } from 'vitest';
import { fakeApi, Refusal } from '../../../../test/api.ts';
import { startApp } from '../../../../test/app.tsx';
import { makeSite, makeUser } from '../../../../test/make.ts';
import { AssistantReport } from './AssistantReport.tsx';

const SITES = [makeSite({ assistantStep: 'answer' }), makeSite({ name: 'Elm Books', assistantStep: 'suggest' })];

const dayOf = (parts: Partial<AssistantDay> = {}): AssistantDay => ({
  day: '2026-01-01',
  answered: 0,
  helped: 0,
  notHelped: 0,
  handedOver: {},
  accepted: 0,
  tokens: 0,
  ...parts,
});

function start(isDown = false) {
  const api = fakeApi();
  const days: Record<string, AssistantDay[]> = {
    [SITES[0]?._id ?? '']: [
      dayOf({ answered: 5, helped: 3, notHelped: 1, handedOver: { unknown: 2 }, tokens: 4_000 }),
      dayOf({ day: '2026-01-02', answered: 7, handedOver: { unknown: 1, asked: 4 }, tokens: 2_000 }),
    ],
    [SITES[1]?._id ?? '']: [dayOf({ accepted: 6 }), dayOf({ day: '2026-01-02', answered: 1, accepted: 3 })],
  };
  const down = new Refusal(503, { code: 'UNAVAILABLE', message: 'Not now' });
  api.on('GET /sites/:id/assistant/days', ({ params }) => (isDown ? down : { days: days[params.id ?? ''] ?? [] }));
  const routes = [{ path: '/', element: <AssistantReport sites={SITES} days={2} /> }];
  return startApp(routes, '/', { api, signedInAs: makeUser() });
}

it('adds up what the assistants of all websites did, with the reasons by how often they were', async () => {
  const { user } = start();
  const card = within(await screen.findByRole('region', { name: 'Assistant' }));
  const figures = card.getAllByRole('term').map((term) => `${term.textContent} ${term.nextSibling?.textContent}`);
  expect(figures).toEqual(['Answered 13', 'Helped 3', 'Did not help 1', 'Handed over 7', 'Tokens 6,000']);
  expect(card.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'The visitor asked for a person4',
    'No published article is about it3',
  ]);
  await user.click(screen.getByRole('button', { name: 'Table of Answers of the assistant' }));
  const table = within(screen.getByRole('region', { name: 'Answers of the assistant, table' }));
  expect(table.getAllByRole('cell').map(({ textContent }) => textContent)).toEqual(['5', '8']);
});

it('says that the figures could not be loaded, and tries again', async () => {
  const { api, user } = start(true);
  expect(await screen.findByText('The figures could not be loaded.')).toBeTruthy();
  api.on('GET /sites/:id/assistant/days', { days: [dayOf()] });
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('It answered nothing in these days')).toBeTruthy();
});
