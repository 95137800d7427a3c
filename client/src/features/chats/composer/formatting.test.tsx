import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { makeMessage, openChat } from '../testing.ts';

beforeEach(() => {
  vi.spyOn(document, 'hasFocus').mockReturnValue(true);
});

const button = (name: string) => screen.getByRole('button', { name });
const thread = () => screen.getByRole('region', { name: /^Conversation with/ });

function select(field: HTMLTextAreaElement, words: string): void {
  const from = field.value.indexOf(words);
  act(() => field.setSelectionRange(from, from + words.length));
}
const selected = ({ value, selectionStart, selectionEnd }: HTMLTextAreaElement) =>
  value.slice(selectionStart, selectionEnd);

it('buttons format the selected words, and take the formatting away again', async () => {
  const { user, field } = await openChat();
  await user.type(field, 'Good old shop');
  select(field, 'old ');
  await user.click(button('Bold'));
  expect([field.value, selected(field)]).toEqual(['Good **old** shop', 'old']);
  await user.click(button('Italic'));
  expect([field.value, selected(field)]).toEqual(['Good ***old*** shop', 'old']);
  await user.click(button('Italic'));
  await user.click(button('Bold'));
  expect([field.value, selected(field)]).toEqual(['Good old shop', 'old']);
  await user.click(button('Named link'));
  expect([field.value, selected(field)]).toEqual(['Good [old](https://) shop', 'https://']);
});

it('keys format as well: a list, and code of several lines', async () => {
  const { field } = await openChat();
  fireEvent.change(field, { target: { value: 'a\nb' } });
  select(field, 'a\nb');
  fireEvent.keyDown(field, { key: '*', code: 'Digit8', ctrlKey: true, shiftKey: true });
  expect(field.value).toBe('- a\n- b');
  fireEvent.keyDown(field, { key: '*', code: 'Digit8', metaKey: true, shiftKey: true });
  expect(field.value).toBe('a\nb');
  fireEvent.keyDown(field, { key: 'b', ctrlKey: true });
  expect(field.value).toBe('**a**\n**b**');
  fireEvent.change(field, { target: { value: 'x\ny' } });
  select(field, 'x\ny');
  fireEvent.click(button('Code'));
  expect(field.value).toBe('```\nx\ny\n```');
});

it('a text with formatting is sent with the flag and shown with it at once; a plain one, and a note, without', async () => {
  const { user, socket, field, chat } = await openChat();
  await user.type(field, '**Hi** there{Enter}');
  await waitFor(() =>
    expect(socket.sent('send_message')).toMatchObject([{ content: '**Hi** there', formatted: true }]),
  );
  expect(within(thread()).getByText('Hi').tagName).toBe('STRONG');
  await user.type(field, 'Plain 2*3*4{Enter}');
  expect(within(thread()).getByText('Plain 2*3*4')).toBeTruthy();
  const message = makeMessage({ seq: 9, chatId: chat._id, sender: 'visitor', content: '**typed**' });
  expect(message).not.toHaveProperty('formatted');
  await user.click(button('Note'));
  expect(screen.queryByRole('button', { name: 'Bold' })).toBeNull();
});

it('an answer with the flag shows its formatting, and any other message its text as typed', async () => {
  const content = '**b** [us](https://a.example)\n- one\n\n2. two\n```\nx < y\n```';
  await openChat({
    messages: [
      makeMessage({ seq: 1, sender: 'visitor', content: '**typed**' }),
      makeMessage({ seq: 2, sender: 'agent', content, formatted: true }),
    ],
  });
  expect(within(thread()).getByText('**typed**')).toBeTruthy();
  expect(within(thread()).getByRole('link', { name: 'us' }).getAttribute('href')).toBe('https://a.example');
  const [one, two] = within(thread()).getAllByRole('listitem').slice(-2);
  expect([one?.textContent, two?.textContent, two?.getAttribute('value')]).toEqual(['one', 'two', '2']);
  expect(within(thread()).getByText('x < y').tagName).toBe('CODE');
});
