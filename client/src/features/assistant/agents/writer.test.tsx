import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { DraftEvent } from 'server/contract';
import { expect, it } from 'vitest';
import { ANA, makeMessage, oakChat, openChat } from '../../chats/testing.ts';

/** An answer of the model that the test lets come piece by piece. */
function writing() {
  let stream: ReadableStreamDefaultController<Uint8Array> | undefined;
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      stream = controller;
    },
    cancel: () => {
      isCancelled = true;
    },
  });
  const say = (event: DraftEvent) =>
    act(async () => {
      if (!isCancelled) stream?.enqueue(new TextEncoder().encode(`: \n\ndata: ${JSON.stringify(event)}\n\n`));
      await new Promise((done) => setTimeout(done));
    });
  return { answer: new Response(body), say, isCancelled: () => isCancelled };
}

async function begun(world: Parameters<typeof openChat>[0] = {}) {
  const started = await openChat({ hasModel: true, ...world });
  const model = writing();
  started.api.on('POST /chats/:id/draft', () => model.answer);
  const choose = async (name: string) => {
    await started.user.click(await screen.findByRole('button', { name: 'Assistant' }));
    await started.user.click(await screen.findByRole('menuitem', { name }));
  };
  const asked = () => started.api.asked('POST /chats/:id/draft').map(({ body }) => body);
  return { ...started, ...model, choose, asked };
}

it('offers nothing where the server has no model', async () => {
  const { api } = await openChat();
  await waitFor(() => expect(api.asked('GET /sites/:id/assistant')).toHaveLength(1));
  expect(screen.queryByRole('button', { name: 'Assistant' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Translate' })).toBeNull();
});

it('drafts into the field, sends nothing, and brings back what was there', async () => {
  const { choose, asked, say, socket, user, field } = await begun();
  await user.type(field, 'My own words');
  await choose('Draft an answer');
  expect(asked()).toEqual([{ action: 'draft', language: expect.stringMatching(/^en/) }]);
  expect(document.activeElement).toBe(field);
  await say({ text: 'You can ' });
  await say({ text: 'send it back.' });
  expect(field.value).toBe('You can send it back.');
  fireEvent.keyDown(field, { key: 'Enter' });
  expect(screen.getByRole('button', { name: 'Send' })).toHaveProperty('disabled', true);
  await say({ done: true });
  expect(await screen.findByText('Written by the assistant. Read it before you send it.')).toBeTruthy();
  expect([field.value, socket.sent('send_message')]).toEqual(['You can send it back.', []]);
  fireEvent.keyDown(field, { key: 'z', ctrlKey: true });
  expect(field.value).toBe('My own words');
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
});

it.each([
  ['Make it shorter', 'shorter'],
  ['Make it friendlier', 'friendlier'],
  ['Translate for the visitor', 'translate-for-visitor'],
])('%s changes what is written', async (name, action) => {
  const { choose, asked, say, user, field } = await begun();
  await user.click(await screen.findByRole('button', { name: 'Assistant' }));
  expect(screen.queryByRole('menuitem', { name })).toBeNull();
  await user.keyboard('{Escape}');
  await user.type(field, 'Long words ');
  await choose(name);
  expect(asked()).toMatchObject([{ action, text: 'Long words' }]);
  await say({ text: 'Words' });
  await say({ done: true });
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(field.value).toBe('Long words ');
});

it.each(['Escape', 'button', 'typing'])('%s stops it, and what was typed stays', async (way) => {
  const { choose, say, isCancelled, user, field } = await begun();
  await choose('Draft an answer');
  await say({ text: 'Half a' });
  if (way === 'Escape') await user.type(field, '{Escape}');
  else if (way === 'button') await user.click(screen.getByRole('button', { name: 'Stop' }));
  else await user.type(field, '!');
  await say({ text: ' sentence' });
  expect(field.value).toBe(way === 'typing' ? 'Half a!' : 'Half a');
  await waitFor(() => expect(isCancelled()).toBe(true));
  expect(screen.queryByText('The assistant writes…')).toBeNull();
});

it('says why it could not write, and keeps the text', async () => {
  const { choose, say, user, field } = await begun();
  await user.type(field, 'Mine');
  await choose('Make it shorter');
  await say({ text: 'Half a' });
  await say({ failure: { code: 'MODEL_BUSY', message: 'The model server has too much to do.' } });
  expect(await screen.findByText(/The model server has too much to do/)).toBeTruthy();
  expect(field.value).toBe('Mine');
});

it('leaves what was typed, not half a text, in a draft that is not shown any more', async () => {
  const { choose, say, isCancelled, user, field } = await begun();
  await user.type(field, 'Long words of mine');
  await choose('Make it shorter');
  await say({ text: 'Half a' });
  await user.click(screen.getByRole('button', { name: 'Note' }));
  await waitFor(() => expect(isCancelled()).toBe(true));
  await user.click(screen.getByRole('button', { name: 'Reply' }));
  expect(await screen.findByDisplayValue('Long words of mine')).toBeTruthy();
});

it('translates what a visitor wrote, below the original', async () => {
  const messages = [
    makeMessage({ seq: 1, content: 'Guten Tag' }),
    makeMessage({ seq: 2, content: 'Hello', sender: 'agent' as const }),
  ];
  const { asked, say, user } = await begun({ messages });
  await user.click(await screen.findByRole('button', { name: 'Translate' }));
  expect(asked()).toMatchObject([{ action: 'translate', text: 'Guten Tag' }]);
  await say({ text: 'Good day' });
  await say({ done: true });
  const thread = within(screen.getByRole('region', { name: /^Conversation with/ }));
  expect(thread.getByText('Good day')).toBeTruthy();
  expect(thread.getByText('Guten Tag')).toBeTruthy();
  await user.click(thread.getByRole('button', { name: 'Hide' }));
  expect(thread.queryByText('Good day')).toBeNull();
});

it('sums the chat up below the note that is begun', async () => {
  const { asked, say, user, api } = await begun();
  await user.click(screen.getByRole('button', { name: 'Note' }));
  await user.type(screen.getByRole('textbox', { name: 'Note' }), 'Mine');
  await user.click(screen.getByRole('button', { name: 'Reply' }));
  await user.click(screen.getByRole('button', { name: 'More' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Summary as a note' }));
  const note = (await screen.findByRole('textbox', { name: 'Note' })) as HTMLTextAreaElement;
  await waitFor(() => expect(asked()).toMatchObject([{ action: 'summary' }]));
  await say({ text: 'Wants a refund.' });
  await say({ done: true });
  expect(note.value).toBe('Mine\nWants a refund.');
  expect(api.asked('POST /chats/:id/notes')).toEqual([]);
});

it('adds a summary as a note when a chat is handed to a teammate', async () => {
  const { api, say, asked, user } = await begun({
    chat: oakChat({ status: 'active', claimedBy: { _id: ANA._id, name: ANA.name } }),
  });
  api.on('POST /chats/:id/notes', ({ body }) => ({ note: body }) as never);
  api.on('POST /chats/:id/transfer', ({ params }) => ({ chat: { ...oakChat(), _id: params.id } }) as never);
  await user.click(screen.getByRole('button', { name: 'More' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Hand to a teammate' }));
  await user.click(await screen.findByRole('button', { name: 'Add a summary as a note' }));
  expect(asked()).toMatchObject([{ action: 'summary' }]);
  await say({ text: 'Wants a refund' });
  await say({ done: true });
  await user.type(await screen.findByRole('textbox', { name: 'Note for your team' }), ', today');
  await user.click(screen.getByRole('button', { name: /queue/i }));
  await waitFor(() =>
    expect(api.asked('POST /chats/:id/notes')).toMatchObject([{ body: { content: 'Wants a refund, today' } }]),
  );
});
