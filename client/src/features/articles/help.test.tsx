import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { Refusal } from '../../../test/api.ts';
import { fakeUploads } from '../../../test/upload.ts';
import { makeArticle, makeHelp, makeText, OAK, startHelp } from './testing.ts';

const FOOD = { id: 'c1', name: { en: 'Orders' } };
const HOME = { id: 'c2', name: { en: 'Returns' } };
const titled = (title: string, parts = {}) => makeArticle({ texts: [makeText({ title })], ...parts });
const button = (name: string | RegExp) => screen.getByRole('button', { name });
const titles = async (section: string) =>
  within(await screen.findByRole('list', { name: section }))
    .getAllByRole('link')
    .map(({ textContent }) => textContent);

it('makes the help centre with one press, and opens its first article ready to write', async () => {
  const { user, api, path, world } = startHelp({ help: makeHelp({ handle: '', enabled: false, rev: 0, url: null }) });
  await user.click(await screen.findByRole('button', { name: 'Make the help centre and write' }));
  const title = await screen.findByRole('textbox', { name: 'Title' });
  expect(api.asked('PATCH /sites/:id/help-center')[0]?.body).toEqual({ enabled: true, language: 'en', rev: 0 });
  expect(path()).toBe(`/dashboard/help/${world.articles[0]?._id}`);
  expect(document.activeElement).toBe(title);
});

it('says who can make one', async () => {
  const site = { ...OAK, role: 'agent' as const, isOwner: false };
  startHelp({ site, help: makeHelp({ handle: '', enabled: false }) });
  expect(await screen.findByText(/An admin of the team can make one/)).toBeTruthy();
});

it('keeps no article that was begun and left without a word', async () => {
  const { user, api, world } = startHelp({ articles: [titled('Kept')] });
  await user.click(await screen.findByRole('button', { name: 'New article' }));
  await screen.findByRole('textbox', { name: 'Title' });
  await user.click(screen.getByRole('link', { name: 'All articles' }));
  await waitFor(() => expect(api.asked('DELETE /articles/:id')).toHaveLength(1));
  expect(world.articles).toHaveLength(1);
});

it('shows articles by category with state, languages and figures, and finds them by title', async () => {
  const german = makeText({ lang: 'de', title: 'Rückgabe', outdated: true });
  const texts = [makeText({ published: true }), german];
  const figures = { read: 12, helped: 3, notHelped: 1, chats: 0 };
  const { user, socket, world } = startHelp({
    help: makeHelp({ categories: [FOOD, HOME], languages: ['de'] }),
    articles: [makeArticle({ category: 'c2', status: 'published', texts, figures }), titled('Draft of mine')],
  });
  const section = within(await screen.findByRole('list', { name: 'Returns' }));
  for (const words of ['Published', 'Changes not published', /read 12 times · 3 of 4 helped/])
    expect(section.getByText(words)).toBeTruthy();
  expect(section.getByText('German: older than the original')).toBeTruthy();
  const search = screen.getByRole('searchbox', { name: 'Search articles' });
  await user.type(search, 'rückg');
  expect(within(screen.getByRole('list', { name: 'Articles' })).getAllByRole('link')).toHaveLength(1);
  await user.clear(search);
  await user.type(search, 'nothing');
  await user.click(button('Show all articles'));
  world.articles.push(titled('Of a teammate'));
  act(() => socket.tell('articles_updated', { siteId: OAK._id, articleId: null }));
  expect(await screen.findByText('Of a teammate')).toBeTruthy();
});

it('moves articles by keys, by the menu, and by dragging', async () => {
  const [one, two, three] = ['One', 'Two', 'Three'].map((title) => titled(title, { category: 'c1' }));
  const { user, api } = startHelp({
    help: makeHelp({ categories: [FOOD, HOME] }),
    articles: [one, two, three].flatMap((each) => each ?? []),
  });
  const order = (): unknown => api.asked('PUT /sites/:id/articles/order').at(-1)?.body;
  expect(await titles('Orders')).toEqual([expect.stringContaining('One'), expect.anything(), expect.anything()]);
  button(/^Move Two/).focus();
  await user.keyboard('{ArrowUp}');
  await waitFor(() => expect(order()).toEqual({ category: 'c1', articles: [two?._id, one?._id, three?._id] }));
  expect(screen.getByText('Two is now number 1 in Orders.')).toBeTruthy();
  await user.click(button('More for One'));
  await user.click(await screen.findByRole('menuitem', { name: 'Move to Returns' }));
  await waitFor(() => expect(order()).toEqual({ category: 'c2', articles: [one?._id] }));
  expect(await titles('Returns')).toHaveLength(1);
  const dataTransfer = { setData: () => {}, setDragImage: () => {} };
  fireEvent.dragStart(button(/^Move Three/), { dataTransfer });
  const target = (await screen.findByText('One')).closest('li') ?? document.body;
  fireEvent.dragOver(target, { dataTransfer, clientY: -1 });
  fireEvent.drop(target, { dataTransfer });
  await waitFor(() => expect(order()).toEqual({ category: 'c2', articles: [three?._id, one?._id] }));
});

it('shows the old order again when the server refuses', async () => {
  const [one, two] = [titled('One'), titled('Two')];
  const { user, api } = startHelp({ articles: [one, two] });
  await titles('Articles');
  api.on('PUT /sites/:id/articles/order', new Refusal(403, { code: 'FORBIDDEN', message: 'Not you.' }));
  await user.click(button('More for One'));
  await user.click(await screen.findByRole('menuitem', { name: 'Move down' }));
  expect(await screen.findByText('Not you.')).toBeTruthy();
  await waitFor(async () => expect((await titles('Articles'))[0]).toContain('One'));
});

it('adds, renames, moves and deletes categories', async () => {
  const { user, world } = startHelp({ help: makeHelp({ categories: [FOOD, HOME], languages: ['de'] }) });
  const names = () => world.help.categories.map(({ name }) => name);
  await user.click(await screen.findByRole('button', { name: 'Add category' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'New category' }));
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  expect(dialog.getByText('Enter a name')).toBeTruthy();
  await user.type(dialog.getByRole('textbox', { name: 'Name in English' }), 'Account');
  await user.type(dialog.getByRole('textbox', { name: 'Name in German' }), 'Konto');
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(names().at(-1)).toEqual({ en: 'Account', de: 'Konto' }));
  await user.click(await screen.findByRole('button', { name: 'More for Account' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Move up' }));
  await waitFor(() => expect(names().map(({ en }) => en)).toEqual(['Orders', 'Account', 'Returns']));
  await user.click(button('More for Orders'));
  await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(names().map(({ en }) => en)).toEqual(['Account', 'Returns']));
});

it('makes a draft of a question that nothing answered, or dismisses it', async () => {
  const question = { question: 'Where is my parcel?', lang: 'en', count: 7, lastAt: new Date().toISOString() };
  const { user, api, world } = startHelp({ path: '/dashboard/help?tab=questions' });
  api.on('GET /sites/:id/articles/questions', {
    questions: [
      { _id: 'q1', ...question },
      { _id: 'q2', ...question, question: 'asdf' },
    ],
  });
  api.on('DELETE /sites/:id/articles/questions/:questionId', {});
  const rows = within(await screen.findByRole('list', { name: 'Asked, not found' })).getAllByRole('listitem');
  expect(rows[0]?.textContent).toContain('asked 7 times · English');
  await user.click(within(rows[1] ?? document.body).getByRole('button', { name: 'Dismiss' }));
  await user.click(within(rows[0] ?? document.body).getByRole('button', { name: 'Write the answer' }));
  expect(await screen.findByRole('textbox', { name: 'Title' })).toHaveProperty('value', 'Where is my parcel?');
  expect(world.articles[0]?.texts[0]?.alsoAsked).toEqual(['Where is my parcel?']);
  const dismissed = api
    .asked('DELETE /sites/:id/articles/questions/:questionId')
    .map(({ params }) => params.questionId);
  expect(dismissed).toEqual(['q2', 'q1']);
});

it('saves the settings, and shows a taken address at its field', async () => {
  const { user, api, world } = startHelp({ path: '/dashboard/help?tab=settings' });
  const address = await screen.findByRole('textbox', { name: 'Address' });
  const message = 'Another help centre has this address.';
  api.on('PATCH /sites/:id/help-center', new Refusal(409, { code: 'HELP_HANDLE_TAKEN', message }));
  await user.clear(address);
  await user.type(address, 'oak');
  await user.click(screen.getByRole('checkbox', { name: 'German' }));
  await user.click(button('Add a link'));
  await user.type(screen.getByRole('textbox', { name: 'Text of link 1' }), 'Imprint');
  await user.type(screen.getByRole('textbox', { name: 'Address of link 1' }), 'https://oak.example/imprint');
  await user.click(button('Save Changes'));
  expect(await screen.findByText(message)).toBeTruthy();
  api.on('PATCH /sites/:id/help-center', ({ body }) => ({ helpCenter: { ...world.help, ...Object(body), rev: 2 } }));
  await user.type(address, '-2');
  await user.click(button('Save Changes'));
  expect(await screen.findByText('Saved')).toBeTruthy();
  expect(api.asked('PATCH /sites/:id/help-center').at(-1)?.body).toEqual({
    handle: 'oak-2',
    languages: ['de'],
    links: [{ label: 'Imprint', url: 'https://oak.example/imprint' }],
    rev: 1,
  });
});

it('imports a file after a dry run, and pages by their addresses', async () => {
  const sent = fakeUploads();
  const { user, api } = startHelp();
  await user.click(await screen.findByRole('button', { name: 'Import and export' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Import and export' }));
  await user.upload(dialog.getByLabelText('Zip file'), new File(['x'], 'help.zip'));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.query).toEqual({ dryRun: 'yes' });
  const data = { added: 2, changed: 1, unchanged: 4, leftOut: [{ source: 'bad.md', reason: 'It has no title.' }] };
  await act(async () => sent[0]?.answer(200, { success: true, data }));
  expect(await dialog.findByText('2 new, 1 changed, 4 already there.')).toBeTruthy();
  expect(dialog.getByText('It has no title.')).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Import 3 articles' }));
  await waitFor(() => expect(sent[1]?.query).toEqual({}));
  await act(async () => sent[1]?.answer(200, { success: true, data }));
  expect(await dialog.findByText(/^Imported: 2 new/)).toBeTruthy();
  api.on('POST /sites/:id/articles/import-pages', { ...data, leftOut: [] });
  await user.type(dialog.getByRole('textbox'), 'https://a.example/1{Enter}https://a.example/2');
  await user.click(dialog.getByRole('button', { name: 'Import 2 pages' }));
  await waitFor(() =>
    expect(api.asked('POST /sites/:id/articles/import-pages')[0]?.body).toEqual({
      urls: ['https://a.example/1', 'https://a.example/2'],
      lang: 'en',
    }),
  );
});

it('tells when articles cannot be loaded, and tries again', async () => {
  const { user, api } = startHelp({ articles: [titled('One')] });
  api.on('GET /sites/:id/articles', new Refusal(403, { code: 'FORBIDDEN', message: 'No.' }));
  await user.click(await screen.findByRole('button', { name: 'Try again' }));
  api.on('GET /sites/:id/articles', { articles: [] });
  await user.click(await screen.findByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('No articles yet')).toBeTruthy();
});
