import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { id } from '../../../../test/make.ts';
import { ANA, makeNote, OAK, oakChat, openChat } from '../testing.ts';

const thread = () => screen.getByRole('region', { name: /^Conversation with/ });
const button = (name: string) => screen.getByRole('button', { name });

const teammate = (name: string) => ({
  userId: { _id: id(), name, email: `${name.split(' ')[0]}@example.com` },
  role: 'agent' as const,
});
const [ben, benno, ina] = [teammate('Ben'), teammate('Benno Ravn'), teammate('İna Öz')];
const me = { userId: { _id: ANA._id, name: ANA.name, email: ANA.email }, role: 'admin' as const };
const sites = [{ ...OAK, team: [me, ben, benno, ina] }];
const options = () => screen.queryAllByRole('option').map(({ textContent }) => textContent);
async function writeNote() {
  const opened = await openChat({ sites });
  opened.api.on('POST /chats/:id/notes', ({ body }) => {
    const { clientId, content } = body as { clientId: string; content: string };
    const author = { _id: ANA._id, name: ANA.name };
    const mentions = [{ _id: ben.userId._id, name: 'Ben' }];
    return { note: makeNote({ chatId: opened.chat._id, clientId, content, author, mentions }) };
  });
  await opened.user.type(opened.field, 'Dear @b');
  expect(options()).toEqual([]);
  await opened.user.click(button('Note'));
  const note = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Note' });
  return { ...opened, note };
}
const sent = ({ api }: Awaited<ReturnType<typeof openChat>>) =>
  api.asked('POST /chats/:id/notes').map(({ body }) => body as { content: string; mentions?: string[] });

describe('mentions', () => {
  it('are offered in notes after an @, and chosen with the keys or the pointer', async () => {
    const opened = await writeNote();
    const { user, note, field } = opened;
    await user.type(note, '(@');
    expect(await screen.findByRole('listbox', { name: 'Teammates' })).toBeTruthy();
    expect(options()).toHaveLength(3);
    await user.keyboard('be');
    expect(options()).toEqual(['BBenBen@example.com', 'BRBenno RavnBenno@example.com']);
    await user.keyboard('{ArrowDown}');
    const active = screen.getByRole('option', { selected: true });
    expect([active.textContent, note.getAttribute('aria-activedescendant')]).toEqual([options()[1], active.id]);
    await user.keyboard('{ArrowDown}{Enter}');
    expect(note.value).toBe('(@Ben ');
    expect([options(), document.activeElement]).toEqual([[], field]);
    await user.keyboard('and @ö');
    await user.click(await screen.findByRole('option', { name: /İna Öz/ }));
    await user.keyboard('look) to: a@ben.example{Enter}');
    await waitFor(() => expect(sent(opened)).toHaveLength(1));
    expect(sent(opened)[0]).toMatchObject({
      content: '(@Ben and @İna Öz look) to: a@ben.example',
      mentions: [ben.userId._id, ina.userId._id],
    });
    const mark = await within(thread()).findByText('@Ben');
    expect(mark.tagName).toBe('MARK');
  });

  it('can be typed in full, and Escape or another text closes the list', async () => {
    const opened = await writeNote();
    const { user, note } = opened;
    await user.click(button('Mention a teammate'));
    await screen.findByRole('listbox', { name: 'Teammates' });
    await user.keyboard('{Escape}');
    expect([note.value, options()]).toEqual(['', []]);
    await user.type(note, '@benno ravn, @nobody{Enter}');
    await waitFor(() => expect(sent(opened)).toHaveLength(1));
    expect(sent(opened)[0]?.mentions).toEqual([benno.userId._id]);
    await user.type(note, 'Just a note{Enter}');
    await waitFor(() => expect(sent(opened)).toHaveLength(2));
    expect(sent(opened)[1]).not.toHaveProperty('mentions');
  });

  it('of the user stand out, and the note that the address asks for is marked', async () => {
    const chat = oakChat();
    const mentions = [{ _id: ANA._id, name: ANA.name }, ben.userId];
    const note = makeNote({ chatId: chat._id, content: '@Ana Lind or @Ben?', mentions });
    await openChat({ chat, notes: [note], path: `/dashboard/inbox?chat=${chat._id}&at=1&note=${note._id}` });
    const card = within(thread()).getByRole('article', { name: 'Note by Ben Okafor' });
    expect([...card.querySelectorAll('mark')].map(({ textContent }) => textContent)).toEqual([
      '@Ana Lind (you)',
      '@Ben',
    ]);
    expect(card.getAttribute('aria-current')).toBe('true');
    expect(screen.queryByText('Found:')).toBeNull();
  });
});
